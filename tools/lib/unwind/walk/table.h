/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * All that a module says about unwinding: its row table, and behind it the call frame
 * information, for what rows cannot say. Sections are looked at when a page of rows is compiled
 * or something is to be evaluated, which need not happen when the rows come from a cache.
 */
#ifndef PERF_UNWIND_WALK_TABLE_H
#define PERF_UNWIND_WALK_TABLE_H

#include "../source/cfi.h"
#include "code-path.h"
#include "code-starts.h"
#include "../source/go-rows.h"
#include "../elf/module.h"
#include "../source/plt.h"
#include "../rows/rows.h"
#include "../source/sframe.h"
#include "../source/sources.h"
#include "../space/backend.h"
#include "../elf/starts.h"

/* What unwind_space__left_out() has found. */
struct table_gap {
	struct unwind_gap of; /* in addresses of the file */
	u64 between;
};

struct table {
	struct rows *rows;
	const struct module *m;
	const struct unwind_arch_info *arch;
	struct unwind_sources sources;
	struct budget *memory;
	bool opened;
	struct sframe *sframe; /* or NULL */
	struct cfi *eh_frame, *debug_frame; /* or NULL */
	struct plt *plt; /* or NULL */
	struct go_rows *go_rows; /* or NULL */
	struct code_paths *paths; /* or NULL: not asked for yet */
	struct starts *starts;    /* the same */
	struct code_starts *code_starts; /* the same */
	bool prepared; /* set by table__prepare(), with release */
	u32 nr_searches;           /* for the following */
	struct table_gap gaps[16]; /* that were found lately, for the unwinder's own thread */
};

/*
 * Makes the table of a module that is not bad; it must live longer.
 * @sources: which are used, and in which order
 * @memory: what is unpacked, and rows, count against it; NULL: without limit
 * Returns: NULL when out of memory.
 */
struct table *table__new(const struct module *m, const struct unwind_arch_info *arch,
			 const struct unwind_sources *sources, struct budget *memory);

/* NULL is fine. */
void table__free(struct table *t);

/*
 * Finds the FDE of @vaddr, and in *@cfi where it comes from: .eh_frame goes first. Returns: false
 * when there is none.
 */
bool table__fde(struct table *t, u64 vaddr, struct cfi **cfi, struct cfi_fde *fde);

/*
 * The same of @vaddr in a table that was prepared. @view: out: what fde->cie is a part of. Returns:
 * the same.
 */
bool table__fde_prepared(const struct table *t, u64 vaddr, struct cfi *view, struct cfi_fde *fde);

/*
 * Finds the first address, *@start, of the function that has @vaddr, by call frame information, and
 * the one behind it, *@end. Any thread may ask, or a signal handler if @prepared. Returns: false
 * when there is none.
 */
bool table__start(struct table *t, u64 vaddr, bool prepared, u64 *start, u64 *end);

/*
 * Makes all that walks may ask of the table but its rows, so that they need no lock. Returns: 0 or
 * -ENOMEM.
 */
int table__prepare(struct table *t);

/* Returns: whether that was done. */
static inline bool table__is_prepared(const struct table *t)
{
	return __atomic_load_n(&t->prepared, __ATOMIC_ACQUIRE);
}

/* For code without rows; any thread may ask. Return NULL when out of memory. */
struct code_paths *table__code_paths(struct table *t);
const struct starts *table__starts(struct table *t);

/*
 * The same, which takes some 20 ms at first for each MB of code; none is prepared. Returns: NULL
 * when out of memory.
 */
const struct code_starts *table__code_starts(struct table *t);

#endif
