// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Code that has left its caller's stack for another one: see ROW_CFA_AWAY. */
#include "../core/hash.h"
#include "../elf/gopclntab.h"
#include "walk-steps.h"

#define MOST_CODE (1U << 16)  /* of a function that is looked through */
#define MOST_SEARCHES 1024    /* in a table; of a sane program there are a few */

/* Has the code at @ra called something on another stack, on behalf of a caller? */
static const struct row_rule *rule__on_behalf(struct walk *w, const struct walk_map *m, u64 ra)
{
	const struct row_rule *rule = m && m->table ? walk__rule(w, m, ra - 1 - m->bias) : NULL;

	return rule && rule->cfa == ROW_HOW(ROW_CFA_AWAY, w->arch->dwarf_fp) ? rule : NULL;
}

/*
 * Where the present frame is in the chain by frame pointers; 0: nowhere. That chain may leave out
 * frames of this one, but has no other: else it is not of this stack, as behind code that has used
 * the register for something else.
 */
static u64 find_by_fp(const struct walk *w)
{
	const struct unwind_stack *mem = w->memory;
	u64 i = 1;

	for (u32 at = 1; mem->by_fp && at < w->chain->nr && i < mem->nr_by_fp; at++)
		i += mem->by_fp[i] == w->chain->ips[at];
	return i > 1 && mem->by_fp[i - 1] == w->pc ? i - 1 : 0;
}

/* Has the function of this row put its caller's frame pointer on the stack? */
static bool rule__keeps_fp(const struct row_rule *rule)
{
	return rule->flags & (ROW_PLAIN_SP | ROW_PLAIN_FP) && ROW_KIND(rule->fp) == ROW_LOC_AT_CFA;
}

/* The row of @ra, if that is behind a call or where a stack begins; NULL, or w->needs_open. */
static const struct row_rule *walk__caller_rule(struct walk *w, u64 ra)
{
	const struct walk_map *m = walk__map(w, ra - 1);
	const struct row_rule *rule = NULL;

	if (m && m->table)
		rule = walk__rule(w, m, ra - 1 - m->bias);
	if (rule && ROW_KIND(rule->cfa) != ROW_CFA_END && !walk__follows_call(w, ra))
		rule = NULL;
	return rule;
}

/*
 * The caller's stack cannot be read: goes on with the addresses that were found by frame pointers.
 * They leave out the caller of a function that keeps none, so behind that they count no more.
 * Returns: false, the walk has ended.
 */
static bool walk__along_fp(struct walk *w)
{
	u64 i = find_by_fp(w);

	w->skips_away = true;
	while (i && ++i < w->memory->nr_by_fp) {
		u64 ra = w->memory->by_fp[i];
		const struct row_rule *rule = walk__caller_rule(w, ra);

		if (w->needs_open)
			return walk__stop(w, UNWIND_NOT_PREPARED);
		if (!rule)
			break;
		if (!unwind_chain__add(w->chain, ra, UNWIND_BY_FP))
			return false;
		if (w->chain->sps)
			w->chain->sps[w->chain->nr - 1] = w->sp;
		if (ROW_KIND(rule->cfa) == ROW_CFA_END)
			return walk__stop(w, UNWIND_OUTERMOST);
		if (!rule__keeps_fp(rule))
			break;
	}
	return walk__stop(w, UNWIND_STACK_ENDS);
}

bool walk__away(struct walk *w, const struct row_rule *rule)
{
	u8 reg = ROW_REG(rule->cfa);
	u64 cfa = w->fp + rule->cfa_off, fp, ra;

	/* At the pc the code may be about to leave. */
	if (!w->exact && reg == w->arch->dwarf_sp)
		return walk__stop(w, UNWIND_OUTERMOST);
	if (w->exact || reg != w->arch->dwarf_fp || !w->fp_known)
		return walk__stop(w, UNWIND_STACK_ENDS);
	if (!walk__read(w, cfa - 8, &ra) || !walk__read(w, cfa - 16, &fp))
		return walk__along_fp(w);
	if (!ra)
		return walk__stop(w, UNWIND_STACK_ENDS);
	w->sp = cfa;
	w->fp = fp;
	w->pc = ra;
	w->skips_away = true;
	return unwind_chain__add(w->chain, ra, UNWIND_BY_FP);
}

/* Where the only call of @target in @f returns to; 0: there are several, or not all can be seen. */
static u64 only_call(const struct walk *w, const struct elf_image *img, const struct go_func *f,
		     u64 target)
{
	struct bytes code = elf_image__bytes_at(img, f->start - UNWIND_CODE);
	u64 size = f->end - f->start, found = 0;
	s64 distance;

	if (size > MOST_CODE || code.len < size + 2 * UNWIND_CODE)
		return 0;
	for (u64 i = 0; i <= size; i++) {
		if (!w->arch->call_distance(code.data + UNWIND_CODE + i, &distance) ||
		    f->start + i + distance != target)
			continue;
		if (found)
			return 0;
		found = f->start + i;
	}
	return found;
}

/*
 * Does @code, at @vaddr, make the closure whose code is at @closure? Either its address is taken,
 * or that of a word which has it.
 */
static bool makes_closure(const struct elf_image *img, struct bytes code, u64 vaddr, u64 closure)
{
	for (size_t i = 0; i + 4 <= code.len; i++) {
		struct bytes word;
		u64 at, value;
		s32 distance;

		memcpy(&distance, code.data + i, sizeof(distance));
		at = vaddr + i + sizeof(distance) + distance;
		if (distance && at == closure)
			return true;
		/* What is no displacement is mostly no address, either. */
		word = elf_image__bytes_at(img, at);
		if (word.len < sizeof(value))
			continue;
		memcpy(&value, word.data, sizeof(value));
		if (value == closure)
			return true;
	}
	return false;
}

static struct bytes code_of(const struct elf_image *img, const struct go_func *f)
{
	struct bytes code = elf_image__bytes_at(img, f->start);

	code.len = min_of(code.len, (size_t)min_of(f->end - f->start, (u64)MOST_CODE));
	return code;
}

/* The function in which the closure @inner was written, "F" of "F.func1". */
static bool find_outer(const struct gopclntab *g, const struct go_func *inner,
		       struct go_func *outer)
{
	const char *end = NULL;

	for (const char *s = inner->name; s && (s = strstr(s, ".func")); s++)
		end = s;
	for (u64 i = 0; end && gopclntab__func(g, i, outer); i++)
		if (outer->name && !strncmp(outer->name, inner->name, end - inner->name) &&
		    !outer->name[end - inner->name])
			return true;
	return false;
}

/*
 * The first function of a goroutine was called by nobody. It is the one that has written, and
 * makes, the closure which runs on the other stack.
 */
static u64 find_first(struct walk *w, const struct walk_map *m, const struct gopclntab *g,
		      u64 inner, const struct go_func *away)
{
	const struct elf_image *img = &m->um->m->image;
	struct go_func closure, outer;

	if (!gopclntab__func(g, gopclntab__find(g, inner), &closure) ||
	    !find_outer(g, &closure, &outer) ||
	    !makes_closure(img, code_of(img, &outer), outer.start, closure.start))
		return 0;
	return only_call(w, img, &outer, away->start);
}

static u64 find_between(struct walk *w, const struct walk_map *m, const struct unwind_gap *gap)
{
	const struct elf_image *img = &m->um->m->image;
	struct go_func away, f;
	struct gopclntab g;
	u64 callee;

	if (gopclntab__open(&g, img) ||
	    !gopclntab__func(&g, gopclntab__find(&g, gap->away - 1 - m->bias), &away))
		return 0;
	if (walk__call_target(w, gap->ra, &callee) == m) {
		callee -= m->bias;
		if (!gopclntab__func(&g, gopclntab__find(&g, callee), &f) || f.start != callee)
			return 0;
		return only_call(w, img, &f, away.start);
	}
	if (!gopclntab__func(&g, gopclntab__find(&g, gap->ra - 1 - m->bias), &f) ||
	    !(f.flags & GO_TOP_FRAME))
		return 0;
	return find_first(w, m, &g, gap->inner - m->bias, &away);
}

bool walk__left_out(struct walk *w, const struct unwind_gap *gap, u64 *between)
{
	struct walk_map *m = walk__map(w, gap->away - 1);
	struct table_gap *known;

	*between = 0;
	if (!rule__on_behalf(w, m, gap->away))
		return false;
	known = &m->table->gaps[hash_mix(gap->inner ^ gap->ra) % ARRAY_SIZE(m->table->gaps)];
	if (known->of.inner != gap->inner - m->bias || known->of.away != gap->away - m->bias ||
	    known->of.ra != gap->ra - m->bias) {
		known->of.inner = gap->inner - m->bias;
		known->of.away = gap->away - m->bias;
		known->of.ra = gap->ra - m->bias;
		known->between = 0;
		if (m->table->nr_searches < MOST_SEARCHES) {
			m->table->nr_searches++;
			known->between = find_between(w, m, gap);
		}
	}
	*between = known->between ? known->between + m->bias : 0;
	return true;
}
