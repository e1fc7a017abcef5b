// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "table.h"

#include "../source/trampoline.h"

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

/* In their order; those that the module does not have are left out. */
static u32 table__sources(struct table *t, struct rows_source *out)
{
	const struct unwind_sources *sources = &t->sources;
	bool late = t->sframe && sources->by_trust && !sframe__is_trusted(t->sframe);
	u32 nr = 0;

	for (u32 i = 0; i < sources->nr; i++) {
		if (sources->v[i] == UNWIND_SOURCE_SFRAME) {
			if (t->sframe && !late)
				out[nr++] = sframe__source(t->sframe);
			continue;
		}
		if (t->eh_frame)
			out[nr++] = cfi__source(t->eh_frame);
		nr += trampoline__source(t->m, t->arch, &out[nr]);
		if (t->go_rows)
			out[nr++] = go_rows__source(t->go_rows);
		if (t->debug_frame)
			out[nr++] = cfi__source(t->debug_frame);
	}
	if (late)
		out[nr++] = sframe__source(t->sframe);
	if (t->plt)
		out[nr++] = plt__source(t->plt);
	return nr;
}

static void table__close(struct table *t)
{
	sframe__free(t->sframe);
	plt__free(t->plt);
	go_rows__free(t->go_rows);
	cfi__free(t->eh_frame);
	cfi__free(t->debug_frame);
	t->sframe = NULL;
	t->plt = NULL;
	t->go_rows = NULL;
	t->eh_frame = t->debug_frame = NULL;
}

/* False: out of memory; what there is then is closed again, since a part of it is missing. */
static bool table__open(struct table *t)
{
	const struct unwind_sources *sources = &t->sources;
	u64 failures;

	if (t->opened)
		return true;
	failures = env__failures(t->m->env);
	if (memchr(sources->v, UNWIND_SOURCE_SFRAME, sources->nr))
		t->sframe = sframe__open(&t->m->image, t->arch, NULL);
	if (t->sframe)
		t->sframe->image = &t->m->image;
	if (memchr(sources->v, UNWIND_SOURCE_EH_FRAME, sources->nr)) {
		t->eh_frame = cfi__open_eh_frame(&t->m->image, t->arch);
		if (t->eh_frame)
			t->eh_frame->memory = t->memory;
		t->debug_frame = cfi__open_debug_frame(&t->m->image, t->arch, t->memory);
		if (!t->debug_frame)
			t->debug_frame = cfi__open_debug_frame(&t->m->debug, t->arch,
							       t->memory);
		if (t->debug_frame)
			t->debug_frame->code = &t->m->image;
		t->plt = plt__open(t->m, t->arch);
		t->go_rows = go_rows__open(&t->m->image, t->arch);
	}
	t->opened = failures == env__failures(t->m->env);
	if (!t->opened)
		table__close(t);
	return t->opened;
}

static bool table__open_rows(void *ctx)
{
	struct table *t = ctx;
	struct rows_source sources[ROWS_MAX_SOURCES];

	if (!table__open(t))
		return false;
	rows__set_sources(t->rows, sources, table__sources(t, sources));
	return true;
}

struct table *table__new(const struct module *m, const struct unwind_arch_info *arch,
			 const struct unwind_sources *sources, struct budget *memory)
{
	struct table *t = env__zalloc(m->env, sizeof(*t));
	struct rows_range ranges[256];

	if (!t)
		return NULL;
	t->m = m;
	t->arch = arch;
	t->sources = *sources;
	t->memory = memory;
	t->rows = rows__new(m->env, arch, ranges, module__code(m, ranges, ARRAY_SIZE(ranges)),
			    NULL, 0);
	if (!t->rows) {
		table__free(t);
		return NULL;
	}
	rows__open_late(t->rows, table__open_rows, t);
	rows__count_against(t->rows, memory);
	return t;
}

void table__free(struct table *t)
{
	if (!t)
		return;
	rows__free(t->rows);
	table__close(t);
	code_paths__free(t->paths);
	starts__free(t->starts);
	code_starts__free(t->code_starts);
	env__free(t->m->env, t);
}

bool table__fde(struct table *t, u64 vaddr, struct cfi **cfi, struct cfi_fde *fde)
{
	if (!table__open(t))
		return false;
	*cfi = t->eh_frame;
	if (*cfi && cfi__find(*cfi, vaddr, fde))
		return true;
	*cfi = t->debug_frame;
	return *cfi && cfi__find(*cfi, vaddr, fde);
}

static bool view__find(const struct cfi *c, u64 vaddr, struct cfi *view, struct cfi_fde *fde)
{
	if (!c)
		return false;
	cfi__view(c, view);
	return cfi__find(view, vaddr, fde);
}

bool table__fde_prepared(const struct table *t, u64 vaddr, struct cfi *view, struct cfi_fde *fde)
{
	return view__find(t->eh_frame, vaddr, view, fde) ||
	       view__find(t->debug_frame, vaddr, view, fde);
}

bool table__start(struct table *t, u64 vaddr, bool prepared, u64 *start, u64 *end)
{
	struct cfi_fde fde = {};
	struct cfi *cfi, view;
	bool found;

	if (prepared) {
		found = table__fde_prepared(t, vaddr, &view, &fde);
	} else {
		rows__lock(t->rows);
		found = table__fde(t, vaddr, &cfi, &fde);
		rows__unlock(t->rows);
	}
	*start = fde.start;
	*end = fde.end;
	return found;
}

static bool table__prepare_cfi(struct table *t)
{
	return table__open(t) && !(t->eh_frame && cfi__prepare(t->eh_frame)) &&
	       !(t->debug_frame && cfi__prepare(t->debug_frame));
}

int table__prepare(struct table *t)
{
	bool done;

	if (t->prepared)
		return 0;
	rows__lock(t->rows);
	done = table__prepare_cfi(t);
	rows__unlock(t->rows);
	if (t->arch->decode)
		done &= table__code_paths(t) && table__starts(t);
	__atomic_store_n(&t->prepared, done, __ATOMIC_RELEASE);
	return done ? 0 : -ENOMEM;
}

struct code_paths *table__code_paths(struct table *t)
{
	struct code_paths *p = __atomic_load_n(&t->paths, __ATOMIC_ACQUIRE);

	if (p)
		return p;
	rows__lock(t->rows);
	if (!t->paths)
		__atomic_store_n(&t->paths, code_paths__new(&t->m->image, t->arch),
				 __ATOMIC_RELEASE);
	rows__unlock(t->rows);
	return t->paths;
}

const struct starts *table__starts(struct table *t)
{
	struct starts *s = __atomic_load_n(&t->starts, __ATOMIC_ACQUIRE);

	if (s)
		return s;
	rows__lock(t->rows);
	if (!t->starts)
		__atomic_store_n(&t->starts, starts__new(&t->m->image), __ATOMIC_RELEASE);
	rows__unlock(t->rows);
	return t->starts;
}

const struct code_starts *table__code_starts(struct table *t)
{
	struct code_starts *s = __atomic_load_n(&t->code_starts, __ATOMIC_ACQUIRE);

	if (s)
		return s;
	rows__lock(t->rows);
	if (!t->code_starts)
		__atomic_store_n(&t->code_starts, code_starts__new(&t->m->image, t->arch),
				 __ATOMIC_RELEASE);
	rows__unlock(t->rows);
	return t->code_starts;
}
