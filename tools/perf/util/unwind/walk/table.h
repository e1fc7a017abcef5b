/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that a module says about unwinding: its row table, and behind it the call frame
 * information, for what rows cannot say. Sections are looked at when a page of rows is compiled
 * or something is to be evaluated, which need not happen when the rows come from a cache.
 */
#ifndef PERF_UNWIND_WALK_TABLE_H
#define PERF_UNWIND_WALK_TABLE_H

#include "../source/cfi.h"
#include "code-path.h"
#include "../source/go-rows.h"
#include "../image/module.h"
#include "../source/plt.h"
#include "../rows/rows.h"
#include "../source/sframe.h"
#include "../source/sources.h"
#include "../image/starts.h"

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
	struct starts *starts;    /* likewise */
};

/*
 * Of a module that is not bad; it must live longer. Never NULL. @memory: what is unpacked, and
 * rows, count against it; NULL: without limit.
 */
struct table *table__new(const struct module *m, const struct unwind_arch_info *arch,
			 const struct unwind_sources *sources, struct budget *memory);
void table__free(struct table *t);

/* The FDE of @vaddr, and in *cfi where it comes from: .eh_frame goes first. */
bool table__fde(struct table *t, u64 vaddr, struct cfi **cfi, struct cfi_fde *fde);

/* For code without rows. Any thread may ask. */
struct code_paths *table__code_paths(struct table *t);
const struct starts *table__starts(struct table *t);

#endif
