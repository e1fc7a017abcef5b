// SPDX-License-Identifier: GPL-2.0-only
/* The backend that walks by row tables. */
#include <stdlib.h>

#include "walk.h"

static int table_backend__init(struct unwinder *u, struct error *err __unused_arg)
{
	u->code.left = CODE_OF_ALL;
	return 0;
}

static void table_backend__exit(struct unwinder *u __unused_arg)
{
}

static void table_backend__module_exit(void *private)
{
	table__free(private);
}

static struct rows *table_backend__module_rows(void *private)
{
	struct table *t = private;

	return t ? t->rows : NULL;
}

static void table_backend__space_exit(struct unwind_space *s)
{
	struct walk_space *ws = s->private;

	if (!ws)
		return;
	vec__free(&ws->maps);
	free(ws);
}

static struct walk_space *walk_space__new(const struct unwind_arch_info *arch)
{
	struct walk_space *ws = xzalloc(sizeof(*ws));

	ws->generation = ~0ULL;
	memset(ws->from_dwarf, UNWIND_NO_DWARF, sizeof(ws->from_dwarf));
	for (u32 i = 0; i < arch->nr_regs; i++)
		if (arch->to_dwarf[i] < CFI_REGS)
			ws->from_dwarf[arch->to_dwarf[i]] = i;
	return ws;
}

/* The mappings have changed. Of two that overlap the lower one ends where the other begins. */
static void walk_space__refresh(struct walk_space *ws, struct unwind_space *s)
{
	ws->maps.nr = 0;
	unwind_space__find(s, 0); /* sorts them */
	for (size_t i = 0; i < s->maps.nr; i++) {
		struct walk_map *m = vec__push(&ws->maps);

		*m = (struct walk_map){ .start = s->maps.v[i].start, .end = s->maps.v[i].end };
		if (i && m[-1].end > m->start)
			m[-1].end = m->start;
	}
	ws->generation = s->generation;
}

static void table_backend__settle(struct unwind_space *s)
{
	if (!s->private)
		s->private = walk_space__new(s->u->arch);
	if (((struct walk_space *)s->private)->generation != s->generation)
		walk_space__refresh(s->private, s);
}

static bool table_backend__walk(struct unwind_space *s, const struct unwind_regs *regs,
				const struct unwind_stack *stack, bool owner,
				struct unwind_chain *chain)
{
	static const struct walk_map nowhere;
	const struct unwind_arch_info *arch = s->u->arch;
	struct walk_space *ws = s->private;
	struct walk w;
	u8 fp;

	w.s = s;
	w.ws = ws;
	w.map = &nowhere;
	w.may_open = owner;
	w.needs_open = false;
	w.arch = arch;
	w.regs = regs;
	w.stack = stack->data;
	w.stack_start = stack->start;
	w.stack_size = stack->size;
	w.stack_words = stack->size >= 8 ? stack->size - 7 : 0;
	w.swap = arch->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	w.chain = chain;
	w.pc = regs->v[arch->pc];
	w.sp = regs->v[arch->sp];
	fp = ws->from_dwarf[arch->dwarf_fp];
	w.fp = regs->v[fp];
	w.fp_known = regs->known >> fp & 1;
	w.exact = true;
	w.skips = false;
	w.code = (struct code_budget){ .all = &s->u->code, .left = CODE_OF_ITS_OWN };
	w.all_there = false;
	if (regs->known >> arch->sp & 1)
		walk__run(&w);
	else
		chain->stop = UNWIND_UNKNOWN_REG;
	code_budget__end(&w.code);
	chain->depth = w.sp - w.stack_start;
	return !w.needs_open;
}

const struct unwind_backend unwind_backend_table = {
	.name = "table",
	.init = table_backend__init,
	.exit = table_backend__exit,
	.module_exit = table_backend__module_exit,
	.forgets = true,
	.module_rows = table_backend__module_rows,
	.space_exit = table_backend__space_exit,
	.settle = table_backend__settle,
	.walk = table_backend__walk,
};
