// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* The backend that walks by row tables. */
#include <string.h>

#include "walk/walk.h"

/*
 * Each frame's program can be made to take a million. Real ones take less than a hundred, and of a
 * thousand frames few need any. Some 2 ms.
 */
#define EVAL_OF_A_STACK (1U << 17)

/* DWARF number -> number of perf; UNWIND_NO_DWARF: none. */
struct table_backend {
	u8 from_dwarf[CFI_REGS];
};

static int table_backend__init(struct unwinder *u)
{
	struct table_backend *b = u->private = env__alloc(&u->env, sizeof(*b));
	const struct unwind_arch_info *arch = u->arch;

	if (!b)
		return -ENOMEM;
	u->code.left = CODE_OF_ALL;
	memset(b->from_dwarf, UNWIND_NO_DWARF, sizeof(b->from_dwarf));
	for (u32 i = 0; i < arch->nr_regs; i++)
		if (arch->to_dwarf[i] < CFI_REGS)
			b->from_dwarf[arch->to_dwarf[i]] = i;
	return 0;
}

static void table_backend__exit(struct unwinder *u)
{
	env__free(&u->env, u->private);
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

static bool table_backend__walk(struct unwind_space *s, const struct unwind_regs *regs,
				const struct unwind_stack *stack, enum unwind_who who,
				struct unwind_chain *chain)
{
	static const struct walk_map nowhere;
	const struct unwind_arch_info *arch = s->u->arch;
	const struct table_backend *b = s->u->private;
	struct walk w;
	u8 fp;

	w.s = s;
	w.map = &nowhere;
	w.may_open = who == UNWIND_OWNER;
	w.prepared = who == UNWIND_HANDLER;
	w.needs_open = false;
	w.arch = arch;
	w.regs = regs;
	w.memory = stack;
	w.stack = stack->data;
	w.stack_start = stack->start;
	w.stack_size = stack->size;
	w.stack_words = stack->size >= 8 ? stack->size - 7 : 0;
	w.swap = arch->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	w.chain = chain;
	w.pc = regs->v[arch->pc];
	w.sp = regs->v[arch->sp];
	fp = b->from_dwarf[arch->dwarf_fp];
	w.fp = w.first_fp = regs->v[fp];
	w.fp_known = regs->known >> fp & 1;
	w.exact = true;
	w.skips = w.skips_away = w.lowered = false;
	w.guessed_at = 0;
	w.eval_steps = EVAL_OF_A_STACK;
	w.code = (struct code_budget){ .all = &s->u->code, .left = CODE_OF_ITS_OWN,
				       .prepared = w.prepared };
	w.all_there = false;
	if (regs->known >> arch->sp & 1)
		walk__run(&w);
	else
		chain->stop = UNWIND_UNKNOWN_REG;
	code_budget__end(&w.code);
	chain->depth = w.sp - w.stack_start;
	if (w.prepared && w.needs_open)
		chain->stop = UNWIND_NOT_PREPARED;
	return !w.needs_open;
}

/* For questions about code alone: there are no registers and no stack. */
static void walk__of_code(struct walk *w, struct unwind_space *s)
{
	static const struct walk_map nowhere;

	memset(w, 0, sizeof(*w));
	w->s = s;
	w->map = &nowhere;
	w->may_open = true;
	w->arch = s->u->arch;
}

static bool table_backend__function(struct unwind_space *s, u64 addr, u64 *start)
{
	const struct walk_map *m;
	struct cfi_fde fde = {};
	struct cfi *cfi;
	struct walk w;
	bool found;
	u64 end;

	walk__of_code(&w, s);
	m = walk__map(&w, addr);
	if (!m || !m->table)
		return false;
	rows__lock(m->rows);
	found = table__fde(m->table, addr - m->bias, &cfi, &fde);
	rows__unlock(m->rows);
	*start = fde.start;
	if (!found && table__starts(m->table))
		found = starts__find(table__starts(m->table), addr - m->bias, start, &end);
	*start += m->bias;
	return found;
}

static bool table_backend__follows_call(struct unwind_space *s, u64 ra)
{
	struct walk w;

	walk__of_code(&w, s);
	return walk__follows_call(&w, ra);
}

static bool table_backend__left_out(struct unwind_space *s, const struct unwind_gap *gap,
				    u64 *between)
{
	struct walk w;

	walk__of_code(&w, s);
	return walk__left_out(&w, gap, between);
}

static int table_backend__prepare(struct unwind_space *s, struct unwind_mapping *map)
{
	struct walk_map *m = (struct walk_map *)map;
	int ret;

	if (!walk_map__open(s, m))
		return -ENOMEM;
	if (!m->table)
		return 0;
	ret = table__prepare(m->table);
	return rows__prepare(m->rows, map->start - m->bias, map->end - m->bias) ?: ret;
}

const struct unwind_backend unwind_backend_table = {
	.name = "table",
	.init = table_backend__init,
	.exit = table_backend__exit,
	.module_exit = table_backend__module_exit,
	.forgets = true,
	.module_rows = table_backend__module_rows,
	.map_size = sizeof(struct walk_map),
	.threads = true,
	.prepare = table_backend__prepare,
	.walk = table_backend__walk,
	.function = table_backend__function,
	.follows_call = table_backend__follows_call,
	.left_out = table_backend__left_out,
};
