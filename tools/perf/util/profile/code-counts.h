/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many samples each instruction has: for `perf annotate`. By the samples' own addresses, in
 * functions that are known; memory grows with the number of different addresses.
 */
#ifndef PERF_PROFILE_CODE_COUNTS_H
#define PERF_PROFILE_CODE_COUNTS_H

#include "../base/index.h"
#include "../base/vec.h"
#include "../symbol/symbols.h"

/* The samples of an event at an address. */
struct code_count {
	u32 event;
	u64 nr, period;
	const struct dso *dso;
	const struct symbol *sym;
	u64 addr; /* in the table of the dso */
};

typedef VEC(struct code_count) code_count_vec;

struct code_total {
	u64 nr, period;
};

/* All zero is empty. */
struct code_counts {
	code_count_vec v;
	struct index index;
	VEC(struct code_total) totals; /* by event: of all samples */
};

/* Frees the counts. */
void code_counts__free(struct code_counts *c);

/*
 * Counts a sample.
 * @event: index in the recording
 * @loc: where it is; one without a symbol counts in the total of its event only
 * @period: how many events it stands for
 */
void code_counts__add(struct code_counts *c, u32 event, const struct location *loc, u64 period);

/*
 * Finds the functions that an event has samples in.
 * @event: index in the recording
 * @out: empty; filled with their sums, .addr 0, the largest period first
 */
void code_counts__functions(const struct code_counts *c, u32 event, code_count_vec *out);

/*
 * Finds the addresses of a function that an event has samples at.
 * @event: index in the recording
 * @out: empty; filled, by address
 */
void code_counts__of(const struct code_counts *c, u32 event, const struct dso *dso,
		     const struct symbol *sym, code_count_vec *out);

#endif
