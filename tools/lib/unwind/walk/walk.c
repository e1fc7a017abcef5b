// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* The usual step, and the choice of another one. */
#include "walk-steps.h"

/* The rule at @look, by what is cheap to know; NULL: not by that. */
static inline const struct row_rule *map__rule(const struct walk_map *m, u64 look)
{
	u64 off = look - m->text;
	const struct rows_page *page;

	if (unlikely(off >= m->text_size))
		return NULL;
	page = rows_page__seen(&m->pages[off >> ROWS_PAGE_SHIFT]);
	if (unlikely(!page))
		return NULL;
	return &m->rows->rules[page->pc[page->nr +
					rows_page__find(page, off & (ROWS_PAGE_SIZE - 1))]];
}

/*
 * The row leads to 0 in place of a return address; @cfa: where the frame ends. At a return
 * instruction the row is wrong: the .debug_frame of mono's code does not describe epilogues.
 */
static __attribute__((noinline)) bool walk__no_ra(struct walk *w, u64 cfa)
{
	struct walk_map *m = w->exact ? walk__map(w, w->pc) : NULL;
	u64 ra, sp;

	if (w->needs_open)
		return false;
	if (!m || w->arch->ra_in_reg || !walk__leaf(w, m, &ra, &sp))
		return walk__stop(w, walk__zero_is_root(w, cfa) ? UNWIND_OUTERMOST :
				  UNWIND_BAD_RA);
	w->sp = sp;
	w->pc = ra;
	w->exact = false;
	return unwind_chain__add(w->chain, ra, UNWIND_BY_LEAF);
}

/* A row asks for the frame pointer, of which nothing is known. */
static __attribute__((noinline)) bool walk__no_fp(struct walk *w)
{
	struct walk_map *m = walk__map(w, w->exact ? w->pc : w->pc - 1);

	return m ? walk__without_fp(w, m) : walk__stop(w, UNWIND_UNKNOWN_REG);
}

/*
 * One step by a rule of the usual shape: w->pc is a return address or the pc, and what is read is
 * the return address and perhaps the frame pointer.
 */
static inline bool walk__plain(struct walk *w, const struct row_rule *rule)
{
	u64 cfa = (rule->flags & ROW_PLAIN_SP ? w->sp : w->fp) + rule->cfa_off;
	u64 sp = cfa - w->arch->cfa_above_sp, slot = cfa + rule->fp_off, ra;

	if (unlikely(!w->fp_known && rule->flags & ROW_PLAIN_FP))
		return walk__no_fp(w);
	if (unlikely(sp <= w->sp && (sp < w->sp || !w->exact)))
		return walk__by_rule(w, rule);
	if (unlikely(!walk__read(w, cfa + rule->ra_off, &ra)) &&
	    !walk__popped_ra(w, cfa + rule->ra_off, &ra))
		return walk__stop_at(w, cfa + rule->ra_off);
	if (unlikely(!ra))
		return walk__no_ra(w, cfa);
	if (rule->fp && slot >= w->sp)
		w->fp_known = walk__read(w, slot, &w->fp);
	w->sp = sp;
	w->pc = ra;
	w->exact = false;
	return unwind_chain__add(w->chain, ra, method_of_rule(rule));
}

/*
 * The pc is in no mapping, so that a return address is none; unless it is on the stack, where a
 * signal handler returns to.
 */
static bool walk__off_map(struct walk *w)
{
	const struct unwind_sigframe *frame = walk__sigframe_on_stack(w);

	if (frame)
		return walk__by_sigframe(w, frame);
	if (w->exact)
		return walk__stop(w, UNWIND_NO_MODULE);
	unwind_chain__drop(w->chain);
	return walk__stop(w, walk__called_by_kernel(w) ? UNWIND_OUTERMOST : UNWIND_BAD_RA);
}

/*
 * A step without a rule. In the system call with which a signal's trampoline ends, the pc is behind
 * all that a C library has rows for.
 */
static bool walk__in_hole(struct walk *w, const struct walk_map *m, u64 look)
{
	const struct row_rule *before = w->exact ? walk__rule(w, m, look - 1 - m->bias) : NULL;

	if (w->needs_open)
		return false;
	if (before && before->flags & ROW_SIGNAL && ROW_KIND(before->cfa) != ROW_CFA_EVAL)
		return walk__by_rule(w, before);
	return walk__by_guess(w, m, UNWIND_NO_ROW);
}

/* A step by another rule, or without one. */
static bool walk__other(struct walk *w, u64 look)
{
	struct walk_map *m = walk__map(w, look);
	const struct unwind_sigframe *frame;
	const struct row_rule *rule;

	/* Behind no call: a signal's trampoline, with which a mapping begins; or on the stack. */
	if (!m)
		m = walk__map(w, w->pc);
	if (w->needs_open)
		return walk__stop(w, UNWIND_NOT_PREPARED);
	if (!m)
		return walk__off_map(w);
	if (m->no_memory)
		return walk__stop(w, UNWIND_NO_MEMORY);
	if (m->no_file)
		return walk__by_guess(w, m, UNWIND_NO_MODULE);
	if (!m->table)
		return walk__by_guess(w, m, UNWIND_UNREADABLE);
	rule = walk__rule(w, m, look - m->bias);
	if (!rule)
		return false;
	/* .sframe may know nothing of signals; else code need not come from the disk for this. */
	if (w->exact && rule->flags & (ROW_PLAIN_SP | ROW_PLAIN_FP) &&
	    row_rule__source(rule) != ROW_SFRAME)
		return walk__plain(w, rule);
	frame = walk__sigframe(w, m);
	if (frame)
		return walk__by_sigframe(w, frame);
	if (rule->flags & (ROW_PLAIN_SP | ROW_PLAIN_FP))
		return walk__plain(w, rule);
	if (walk__is_root(w, m, ROW_KIND(rule->cfa) != ROW_CFA_HOLE))
		return walk__stop(w, UNWIND_OUTERMOST);
	switch (ROW_KIND(rule->cfa)) {
	case ROW_CFA_HOLE:
		return walk__in_hole(w, m, look);
	case ROW_CFA_END:
		return walk__stop(w, UNWIND_OUTERMOST);
	case ROW_CFA_AWAY:
		return walk__away(w, rule);
	case ROW_CFA_NO_MEMORY:
		return walk__stop(w, UNWIND_NO_MEMORY);
	case ROW_CFA_EVAL:
		return walk__by_cfi(w, m);
	}
	return walk__by_rule(w, rule);
}

static void walk__tell(struct walk *w, u64 look)
{
	struct walk_map *m = walk__map(w, look);
	struct unwind_decision d = {
		.frame = w->chain->nr - 1, .pc = w->pc, .sp = w->sp, .fp = w->fp,
		.fp_known = w->fp_known, .exact = w->exact, .source = "", .rule = "",
	};
	struct row row;
	char rule[160];

	if (m && m->um) {
		d.mapped = true;
		d.module = m->um->m->id;
		d.vaddr = look - m->bias;
	}
	if (m && m->table && rows__row(m->rows, d.vaddr, &row) && row.start <= d.vaddr) {
		d.row_start = row.start;
		d.row_end = row.end;
		row_rule__text(row.rule, w->arch, rule, sizeof(rule));
		d.source = row_rule__source_name(row.rule);
		d.rule = rule;
	}
	w->chain->observer->decide(w->chain->observer->ctx, &d);
}

/*
 * A frame pointer that was none leads to what lies on the stack from earlier: sooner or later to
 * what is no frame. So such a walk ends in front of the guess.
 */
static void walk__undo_guess(struct walk *w)
{
	bool astray = w->chain->stop == UNWIND_BAD_RA || w->chain->stop == UNWIND_NO_PROGRESS;

	if (!w->guessed_at || !astray)
		return;
	while (w->chain->nr > w->guessed_at)
		unwind_chain__drop(w->chain);
	w->chain->stop = w->guessed_for;
}

void walk__run(struct walk *w)
{
	u64 until = w->chain->until_sp ?: UINT64_MAX;
	bool go = true;

	while (go && (w->sp < until || walk__stop(w, UNWIND_LIMIT))) {
		u64 look = w->exact ? w->pc : w->pc - 1;
		const struct row_rule *rule = map__rule(w->map, look);

		if (unlikely(w->chain->sps))
			w->chain->sps[w->chain->nr - 1] = w->sp;
		if (unlikely(w->chain->observer) && !w->prepared)
			walk__tell(w, look);
		if (likely(rule && rule->flags & (ROW_PLAIN_SP | ROW_PLAIN_FP)))
			go = walk__plain(w, rule);
		else
			go = walk__other(w, look);
	}
	if (unlikely(w->guessed_at))
		walk__undo_guess(w);
	if (unlikely(w->skips || w->skips_away) && w->chain->stop == UNWIND_OUTERMOST) {
		w->chain->stop = UNWIND_SKIPPED;
		w->chain->skips_away = !w->skips;
	}
}
