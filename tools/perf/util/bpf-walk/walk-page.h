/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page of a row table in the form that the program reads (walk-layout.h). Rules of all tables are
 * numbered together.
 */
#ifndef PERF_BPF_WALK_WALK_PAGE_H
#define PERF_BPF_WALK_WALK_PAGE_H

#include "../../../lib/unwind/rows/rows.h"
#include "../../../lib/unwind/core/bytes.h"
#include "../base/hash.h"
#include "../base/vec.h"
#include "walk-layout.h"

struct walk_rules {
	struct walk_rule *v;  /* the values of the map of rules; the first is WALK_MISS, zeros */
	u32 nr, max;
	struct map64 numbers; /* of each rule, by its bytes; + 1 */
	bool full;            /* there was no room for one */
};

/* What rules of one table have become, by their numbers there: + 1; 0: it was not asked for yet. */
struct walk_numbers {
	VEC(u32) of;
};

/* The page while it is made. */
struct walk_page {
	u16 index[WALK_PAGE_BLOCKS + 1];
	VEC(u32) rows;
};

/*
 * Converts a page. Rules for which there is no room are WALK_MISS.
 * @out: .rows is reused
 * @known: of @rows alone, and as long as @rules are; zeros at first; its owner frees .of
 * @rows, @page: the table and its page
 * @code: of the page; looked at where rows say nothing
 * @code_at: of them: the place of the page's first byte, with UNWIND_CODE bytes in front, or none
 */
void walk_page__make(struct walk_page *out, struct walk_rules *rules, struct walk_numbers *known,
		     const struct rows *rows, const struct rows_page *page, struct bytes code,
		     size_t code_at);

/* Returns: the bytes that it takes, a multiple of 8. */
size_t walk_page__size(const struct walk_page *p);

/* Writes it to @to. */
void walk_page__write(const struct walk_page *p, u8 *to);

#endif
