// SPDX-License-Identifier: GPL-2.0-only
#include "table.h"

#include <stdlib.h>

static u32 module__code(const struct module *m, struct rows_range *ranges, u32 max)
{
	u32 nr = 0;

	for (size_t i = 0; i < m->image.loads.nr && nr < max; i++) {
		const struct elf_load *l = &m->image.loads.v[i];

		if (l->exec && l->filesz)
			ranges[nr++] = (struct rows_range){ l->vaddr, l->vaddr + l->filesz };
	}
	return nr;
}

struct table *table__new(const struct module *m, const struct unwind_arch_info *arch)
{
	struct table *t = xzalloc(sizeof(*t));
	struct rows_source sources[2];
	struct rows_range ranges[256];
	u32 nr = 0, nr_ranges = module__code(m, ranges, ARRAY_SIZE(ranges));

	t->eh_frame = cfi__open_eh_frame(m, arch);
	t->debug_frame = cfi__open_debug_frame(&m->image, arch);
	if (t->eh_frame)
		sources[nr++] = cfi__source(t->eh_frame);
	if (t->debug_frame)
		sources[nr++] = cfi__source(t->debug_frame);
	t->rows = rows__new(arch, ranges, nr_ranges, sources, nr);
	return t;
}

void table__free(struct table *t)
{
	if (!t)
		return;
	rows__free(t->rows);
	cfi__free(t->eh_frame);
	cfi__free(t->debug_frame);
	free(t);
}

bool table__fde(struct table *t, u64 vaddr, struct cfi **cfi, struct cfi_fde *fde)
{
	*cfi = t->eh_frame;
	if (*cfi && cfi__find(*cfi, vaddr, fde))
		return true;
	*cfi = t->debug_frame;
	return *cfi && cfi__find(*cfi, vaddr, fde);
}
