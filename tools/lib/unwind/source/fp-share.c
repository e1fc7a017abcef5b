// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "fp-share.h"

#include "../arch/arch.h"
#include "cfi.h"
#include "../elf/module.h"

static void share__add_row(struct fp_share *out, const struct unwind_arch_info *arch,
			   const struct cfi_row *row, u64 bytes)
{
	bool fp_saved = row->slots[arch->dwarf_fp].how == CFI_OFFSET;

	if (row->cfa.how != CFI_REGISTER)
		out->other += bytes;
	else if (row->cfa.reg == arch->dwarf_fp || (arch->fp_saved_is_kept && fp_saved))
		out->fp += bytes;
	else if (row->cfa.reg == arch->dwarf_sp)
		out->sp += bytes;
	else
		out->other += bytes;
}

static int share__add_all(struct fp_share *out, const struct unwind_arch_info *arch, struct cfi *c)
{
	/* For all functions together: entries can be made to overlap. */
	struct cfi_run run = { .steps = min_of(4 * (u64)c->section.len + 1024, (u64)UINT32_MAX) };
	struct cfi_fde fde;

	for (u64 i = 0; i < cfi__nr(c) && run.steps > 1; i++) {
		if (!cfi__fde(c, i, &fde))
			continue;
		cfi_run__begin(&run, c, &fde);
		while (cfi_run__next(&run))
			share__add_row(out, arch, &run.row, run.end - run.start);
	}
	cfi_run__exit(&run);
	return run.steps > 1 ? 0 : -EINVAL;
}

int fp_share__add(const struct unwind_env *env, struct fp_share *out, int fd)
{
	struct module *m = module__new(env, 0, fd, EM_NONE);
	const struct unwind_arch_info *arch;
	struct cfi *c = NULL;
	int ret = -EINVAL;

	if (!m)
		return -ENOMEM;
	arch = m->bad ? NULL : unwind_arch_info__by_machine(m->image.ehdr.e_machine);
	if (arch) {
		c = cfi__open_eh_frame(&m->image, arch);
		ret = c ? share__add_all(out, arch, c) : -ENOENT;
		cfi__free(c);
	}
	module__free(m);
	return ret;
}

unsigned int fp_share__percent(const struct fp_share *s)
{
	u64 all = s->fp + s->sp + s->other;

	return all ? (unsigned int)((double)s->fp / all * 100) : 0;
}
