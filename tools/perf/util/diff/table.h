/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entries of several recordings beside each other, for `perf diff`. Recordings may be of
 * different builds of a program, so that addresses say nothing: entries are the same if the texts
 * of their keys are. Code of which no function is known is one row for each binary, as in perf;
 * names.h is for functions without a name.
 */
#ifndef PERF_DIFF_TABLE_H
#define PERF_DIFF_TABLE_H

#include "../profile/sort-keys.h"

#define DIFF_NO_KEY UINT32_MAX

/* What a recording has of a row; all zero: nothing. */
struct diff_cell {
	u64 period, nr;          /* of the entry itself; .nr: samples */
	u64 period_all, nr_all;  /* with what it called */
	bool there;
};

struct diff_row {
	const char **texts;      /* of the keys; owned by the table */
	u32 unnamed;             /* the key that is a bare address, or DIFF_NO_KEY */
	u32 first_run;           /* the first recording that has it */
};

/* A recording. */
struct diff_run {
	u64 period, nr;          /* of all samples: what is 100 % */
	u64 duration;            /* ns from the first to the last sample; 0: unknown */
};

struct diff_table {
	u32 nr_keys, nr_runs;
	struct arena *arena;
	struct diff_run *runs;
	VEC(struct diff_row) rows;
	VEC(struct diff_cell) cells; /* of row * nr_runs + run */
	struct index index;
};

/* @t: for diff_table__free(); @nr_keys: texts of a row; @nr_runs: recordings */
void diff_table__init(struct diff_table *t, u32 nr_keys, u32 nr_runs);

/* Frees the table. */
void diff_table__free(struct diff_table *t);

/*
 * Adds an entry of a recording. Recordings are added one after the other.
 * @run: number of the recording
 * @texts: of the keys; copied
 * @unnamed: the key that is a bare address, which does not count; or DIFF_NO_KEY
 * @counts: added to those of the row; .there need not be set
 * Returns: the number of the row.
 */
u32 diff_table__add(struct diff_table *t, u32 run, const char *const *texts, u32 unnamed,
		     const struct diff_cell *counts);

/* Returns: the cell of @row, of @run. */
static inline const struct diff_cell *diff_table__cell(const struct diff_table *t, u32 row,
							u32 run)
{
	return &t->cells.v[(size_t)row * t->nr_runs + run];
}

/* Returns: @text of the symbol's column without its "[k] "; of other columns the text itself. */
const char *diff_table__name(const char *text);

/* Returns: what part of all of @run an entry, @row, has by itself, in percent. */
double diff_table__percent(const struct diff_table *t, u32 row, u32 run);

/* How recordings are compared with the first one. */
enum diff_method {
	DIFF_DELTA,     /* of the parts in percent */
	DIFF_DELTA_ABS, /* the same; sorted without their sign */
	DIFF_RATIO,     /* of the periods */
	DIFF_WEIGHTED,  /* difference of the weighted periods */
};

struct diff_order {
	enum diff_method method;
	s64 weight_before, weight_after; /* DIFF_WEIGHTED */
	u32 run;                         /* whose value counts; 0: the part of the first one */
};

/*
 * Returns: whether @row has a value of @run beside the first recording, which is put into @value.
 *         What only @run has is 0 before.
 */
bool diff_table__value(const struct diff_table *t, const struct diff_order *o, u32 row, u32 run,
		       double *value);

/*
 * Sorts the rows: the largest value first, then by the other columns from left to right, then by
 * text.
 * @o: its .run is one of the recordings
 * Returns: the numbers of the rows, for free().
 */
u32 *diff_table__sort(const struct diff_table *t, const struct diff_order *o);

#endif
