// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "go-rows.h"

#include <elf.h>
#include <string.h>

#include "../elf/gopclntab.h"
#include "../elf/module.h"

#define MAX_STEPS (1U << 20) /* of a function */
#define MAX_DEPTH (1 << 30)

struct go_rows {
	const struct unwind_env *env;
	const struct unwind_arch_info *arch;
	struct gopclntab table;
};

/* SP is @depth bytes below the return address. Frames begin with the caller's frame pointer. */
static struct row_rule depth__rule(const struct go_rows *g, s64 depth)
{
	struct row_rule rule = {
		.cfa = ROW_HOW(ROW_CFA_REG, g->arch->dwarf_sp), .cfa_off = depth + 8,
		.ra = ROW_HOW(ROW_LOC_AT_CFA, 0), .ra_off = -8, .flags = ROW_FROM(ROW_GOPCLNTAB),
	};

	if (depth < 0 || depth > MAX_DEPTH)
		return (struct row_rule){};
	if (depth) {
		rule.fp = ROW_HOW(ROW_LOC_AT_CFA, 0);
		rule.fp_off = -16;
	}
	return rule;
}

/* Pairs of numbers: by how much the depth changes, and for how many bytes of code it is so. */
static bool func__fill_steps(const struct go_rows *g, const struct go_func *f,
			     struct rows_builder *b)
{
	struct cursor c = cursor__init(g->table.steps.data, g->table.steps.len, false);
	struct row_rule rule = {};
	u64 at = f->start;
	s64 depth = -1;

	cursor__take(&c, f->steps);
	for (u32 i = 0; i < MAX_STEPS && at < f->end; i++) {
		u64 change = cursor__leb128(&c, false), size;

		if (!change && i)
			break;
		depth += (s32)(change >> 1 ^ -(change & 1));
		size = cursor__leb128(&c, false);
		if (c.bad || !size || size > f->end - at)
			break;
		rule = depth__rule(g, depth);
		if (!rows_builder__row(b, at, &rule))
			return false;
		at += size;
	}
	rule = (struct row_rule){};
	return at == f->end || rows_builder__row(b, at, &rule);
}

/*
 * A function that goes to another stack. Those of the scheduler never return to the first one: what
 * they call is where Go's runtime says that a stack begins (topofstack() of its traceback.go). The
 * others call a function there on behalf of their caller, whose frame pointer they leave in its
 * register (asm_amd64.s: frames of size 0).
 */
static struct row_rule away__rule(const struct go_rows *g, const struct go_func *f)
{
	static const char *const begin[] = { "runtime.mcall", "runtime.morestack" };
	static const char *const on_behalf[] = { "runtime.systemstack", "runtime.asmcgocall" };
	struct row_rule rule = {
		.cfa = ROW_HOW(ROW_CFA_AWAY, 0), .flags = ROW_FROM(ROW_GOPCLNTAB),
	};

	for (size_t i = 0; f->name && i < ARRAY_SIZE(begin); i++)
		if (!strcmp(f->name, begin[i]))
			rule.cfa = ROW_HOW(ROW_CFA_AWAY, g->arch->dwarf_sp);
	for (size_t i = 0; f->name && i < ARRAY_SIZE(on_behalf); i++)
		if (!strcmp(f->name, on_behalf[i])) {
			rule.cfa = ROW_HOW(ROW_CFA_AWAY, g->arch->dwarf_fp);
			rule.cfa_off = 16;
		}
	return rule;
}

static bool func__fill(const struct go_rows *g, const struct go_func *f, struct rows_builder *b)
{
	struct row_rule end = {
		.cfa = ROW_HOW(ROW_CFA_END, 0), .flags = ROW_FROM(ROW_GOPCLNTAB),
	};
	struct row_rule away = away__rule(g, f);

	if (!rows_builder__function(b, f->start, f->end))
		return false;
	if (f->flags & (GO_TOP_FRAME | GO_SP_WRITE))
		return rows_builder__row(b, f->start, f->flags & GO_TOP_FRAME ? &end : &away);
	return !f->steps || func__fill_steps(g, f, b);
}

static void go_rows__fill(void *private, u64 from, u64 to, struct rows_builder *b)
{
	const struct go_rows *g = private;
	struct go_func f;

	for (u64 i = gopclntab__find(&g->table, from);
	     gopclntab__func(&g->table, i, &f) && f.start < to; i++)
		if (rows_builder__wants(b, f.start, f.end) && !func__fill(g, &f, b))
			break;
}

struct rows_source go_rows__source(struct go_rows *g)
{
	return (struct rows_source){ .fill = go_rows__fill, .private = g };
}

struct go_rows *go_rows__open(const struct elf_image *img, const struct unwind_arch_info *arch)
{
	struct go_rows *g = env__zalloc(img->env, sizeof(*g));

	if (!g)
		return NULL;
	g->env = img->env;
	g->arch = arch;
	if (arch->e_machine == EM_X86_64 && !gopclntab__open(&g->table, img) &&
	    g->table.min_code == 1)
		return g;
	go_rows__free(g);
	return NULL;
}

void go_rows__free(struct go_rows *g)
{
	if (g)
		env__free(g->env, g);
}

bool go_rows__are_in(const struct unwind_env *env, int fd)
{
	const struct unwind_arch_info *arch = unwind_arch_info__by_machine(EM_X86_64);
	struct module *m = module__new(env, 0, fd, EM_X86_64);
	struct go_rows *g = m && !m->bad ? go_rows__open(&m->image, arch) : NULL;

	go_rows__free(g);
	if (m)
		module__free(m);
	return g;
}
