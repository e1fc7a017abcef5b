// SPDX-License-Identifier: GPL-2.0-only
#include "walk-page.h"

#include <stddef.h>
#include <string.h>

/* DWARF numbers of x86-64. */
#define DWARF_FP 6
#define DWARF_SP 7

#define LONGEST_HOLE 4096 /* bytes that are searched */
#define SWITCH_BYTES 3    /* of the shortest instruction that goes to another stack */

/* Returns 0, which is WALK_MISS, when there is no room. */
static u16 walk_rules__number(struct walk_rules *r, struct walk_rule rule)
{
	uintptr_t nr;
	u64 key;

	if (rule.kind == WALK_MISS)
		return 0;
	memcpy(&key, &rule, sizeof(key));
	nr = (uintptr_t)map64__get(&r->numbers, key);
	if (nr)
		return nr - 1;
	r->nr = r->nr ?: 1; /* number 0 stays WALK_MISS, of zeros */
	if (r->nr == r->max) {
		r->full = true;
		return 0;
	}
	r->v[r->nr] = rule;
	map64__set(&r->numbers, key, (void *)(uintptr_t)(r->nr + 1));
	return r->nr++;
}

static bool is_signal(const struct row_rule *r)
{
	return r->cfa == ROW_HOW(ROW_CFA_DEREF, DWARF_SP) && r->cfa_off == WALK_SIGNAL_SP &&
	       !r->cfa_add && r->ra == ROW_HOW(ROW_LOC_AT_REG, DWARF_SP) &&
	       r->ra_off == WALK_SIGNAL_PC && r->fp == ROW_HOW(ROW_LOC_AT_REG, DWARF_SP) &&
	       r->fp_off == WALK_SIGNAL_FP;
}

/* Where struct walk_regs has each register of DWARF; RSP has no place among the first 16. */
static const s8 places[16] = { 10, 12, 11, 5, 13, 14, 4, -1, 9, 8, 7, 6, 3, 2, 1, 0 };

static u8 kind_of(const struct row_rule *r, u8 *reg)
{
	u8 base = ROW_REG(r->cfa);

	*reg = 0;
	switch (ROW_KIND(r->cfa)) {
	case ROW_CFA_REG:
		if (base == DWARF_SP || base == DWARF_FP)
			return base == DWARF_SP ? WALK_SP : WALK_FP;
		if (base >= ARRAY_SIZE(places))
			return WALK_MISS;
		*reg = places[base];
		return WALK_REG;
	case ROW_CFA_PLT:
		*reg = r->cfa_add;
		return base == DWARF_SP && r->cfa_add == *reg ? WALK_PLT : WALK_MISS;
	case ROW_CFA_DEREF:
		*reg = r->cfa_add;
		if (r->cfa_add != (s8)r->cfa_add || (base != DWARF_SP && base != DWARF_FP))
			return WALK_MISS;
		return base == DWARF_SP ? WALK_DEREF_SP : WALK_DEREF_FP;
	}
	return WALK_MISS;
}

/* The caller's FP: unchanged, or in a slot below the return address; or where FP itself says. */
static bool fp_fits(const struct row_rule *r)
{
	if (ROW_KIND(r->fp) == ROW_LOC_SAME)
		return true;
	if (r->fp == ROW_HOW(ROW_LOC_AT_REG, DWARF_FP))
		return r->fp_off == (s16)r->fp_off;
	return ROW_KIND(r->fp) == ROW_LOC_AT_CFA && r->fp_off <= -16 && r->fp_off >= INT16_MIN;
}

/* The kind of a rule whose FP is where FP itself says. */
static u8 drap_of(u8 kind)
{
	switch (kind) {
	case WALK_DEREF_FP:
		return WALK_DRAP;
	case WALK_REG:
		return WALK_DRAP_REG;
	case WALK_SP:
		return WALK_DRAP_SP;
	}
	return WALK_MISS;
}

/* Returns WALK_MISS when the program has no words for that. */
static struct walk_rule walk_rule__of(const struct row_rule *r)
{
	struct walk_rule out = { .kind = WALK_MISS };

	if (ROW_KIND(r->cfa) == ROW_CFA_END)
		return (struct walk_rule){ .kind = WALK_END };
	if (r->cfa == ROW_HOW(ROW_CFA_AWAY, DWARF_SP))
		return (struct walk_rule){ .kind = WALK_END_CALL };
	if (r->cfa == ROW_HOW(ROW_CFA_AWAY, DWARF_FP))
		return (struct walk_rule){ .kind = WALK_AWAY, .cfa = r->cfa_off, .fp_off = -16 };
	if (r->flags & ROW_SIGNAL)
		return (struct walk_rule){ .kind = is_signal(r) ? WALK_SIGNAL : WALK_MISS };
	if (r->flags & ROW_RA_SIGNED || ROW_KIND(r->ra) != ROW_LOC_AT_CFA || r->ra_off != -8 ||
	    !fp_fits(r))
		return out;
	out.kind = kind_of(r, &out.reg);
	if (ROW_KIND(r->fp) == ROW_LOC_AT_REG)
		out.kind = drap_of(out.kind);
	if (out.kind == WALK_MISS)
		return (struct walk_rule){ .kind = WALK_MISS };
	out.cfa = r->cfa_off;
	out.fp_off = ROW_KIND(r->fp) == ROW_LOC_SAME ? 0 : r->fp_off;
	return out;
}

/* A table has far fewer rules than rows. */
static u16 number_of(struct walk_rules *rules, struct walk_numbers *known, const struct rows *rows,
		     u16 nr)
{
	while (known->of.nr <= nr)
		*vec__push(&known->of) = 0;
	if (!known->of.v[nr])
		known->of.v[nr] = walk_rules__number(rules, walk_rule__of(&rows->rules[nr])) + 1u;
	return known->of.v[nr] - 1;
}

static bool may_lower(const struct walk_rule *rule)
{
	return rule->kind == WALK_FP || rule->kind == WALK_DRAP || rule->kind == WALK_DEREF_FP ||
	       rule->kind == WALK_DEREF_SP;
}

/* The number of the same rule where SP may fall. */
static u16 lowering_of(struct walk_rules *rules, u16 number)
{
	struct walk_rule rule = rules->v[number];

	rule.kind |= WALK_LOWERS;
	return walk_rules__number(rules, rule) ?: number;
}

static void add_row(struct walk_page *p, u32 from, u16 number)
{
	u32 *last = p->rows.nr ? &p->rows.v[p->rows.nr - 1] : NULL;

	if (last && (*last & 0xffff) == number)
		return;
	if (!last || *last >> 16 != from)
		last = vec__push(&p->rows);
	*last = from << 16 | number;
}

/*
 * A row from @from to @to. In the UNWIND_SWITCH bytes behind code that goes to another stack, SP
 * may fall, as in the unwinder.
 */
static void add_known(struct walk_page *p, struct walk_rules *rules, const struct rows *rows,
		      u32 from, u32 to, u16 number, struct bytes code, size_t code_at)
{
	size_t start = code_at + from - min_of(code_at + from, (size_t)UNWIND_SWITCH);
	size_t end = min_of(code_at + to, code.len), at = start;
	u32 until = 0; /* SP may fall up to there */

	add_row(p, from, number);
	if (!may_lower(&rules->v[number]) || !rows->arch->find_switch)
		return;
	for (; at < end; at++) {
		at += rows->arch->find_switch(code.data + at, end - at);
		if (at + SWITCH_BYTES >= end)
			break;
		if (until && code_at + until < at + SWITCH_BYTES)
			add_row(p, until, number);
		add_row(p, max_of(at + SWITCH_BYTES, code_at + from) - code_at,
			lowering_of(rules, number));
		until = at + UNWIND_SWITCH + 1 - code_at;
	}
	if (until && until < to)
		add_row(p, until, number);
}

/*
 * Rows from @from to @to say nothing, but some addresses there are known by their code: those to
 * which the first function of a stack returns. Not in what is no more than padding, nor in what is
 * no function: code that BOLT has left behind is 65 MB of libLLVM.
 */
static void add_hole(struct walk_page *p, const struct rows *rows, u32 from, u32 to, u16 end,
		     struct bytes code, size_t code_at)
{
	add_row(p, from, 0);
	if (to - from <= ROWS_PADDING || to - from > LONGEST_HOLE)
		return;
	for (u32 at = from; at < to && code_at + at + 1 + UNWIND_CODE <= code.len; at++) {
		if (code_at + at + 1 < UNWIND_CODE)
			continue;
		if (!rows->arch->is_root(code.data + code_at + at + 1))
			continue;
		add_row(p, at, end);
		if (at + 1 < to)
			add_row(p, at + 1, 0);
	}
}

/* The row that is valid at the first byte of each block. */
static void make_index(struct walk_page *p)
{
	u32 row = 0;

	for (u32 b = 0; b < WALK_PAGE_BLOCKS; b++) {
		while (row + 1 < p->rows.nr &&
		       p->rows.v[row + 1] >> 16 <= b << WALK_BLOCK_SHIFT)
			row++;
		p->index[b] = row;
	}
	p->index[WALK_PAGE_BLOCKS] = p->rows.nr - 1;
}

void walk_page__make(struct walk_page *out, struct walk_rules *rules, struct walk_numbers *known,
		     const struct rows *rows, const struct rows_page *page, struct bytes code,
		     size_t code_at)
{
	u16 end = walk_rules__number(rules, (struct walk_rule){ .kind = WALK_END_CALL });

	out->rows.nr = 0;
	for (u32 i = 0; i < page->nr; i++) {
		u32 from = page->pc[i], to = i + 1 < page->nr ? page->pc[i + 1] : ROWS_PAGE_SIZE;
		u16 number = number_of(rules, known, rows, page->pc[page->nr + i]);

		if (number)
			add_known(out, rules, rows, from, to, number, code, code_at);
		else
			add_hole(out, rows, from, to, end, code, code_at);
	}
	if (!out->rows.nr || out->rows.v[0] >> 16) /* cannot be: each address has a row */
		out->rows.nr = 0;
	if (!out->rows.nr)
		add_row(out, 0, 0);
	make_index(out);
}

size_t walk_page__size(const struct walk_page *p)
{
	return align_up(WALK_ROWS_AT + p->rows.nr * sizeof(u32), 8);
}

void walk_page__write(const struct walk_page *p, u8 *to)
{
	memcpy(to, p->index, sizeof(p->index));
	memcpy(to + WALK_ROWS_AT, p->rows.v, p->rows.nr * sizeof(u32));
}
