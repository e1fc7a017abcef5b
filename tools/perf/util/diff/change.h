/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What has changed between two groups of recordings, and what may be chance: for each row of a
 * diff_table, the mean of the runs before and after, the interval of their difference, and the rate
 * of false discoveries (statistics.h). How it is done is in Documentation/design/diff.md.
 */
#ifndef PERF_DIFF_CHANGE_H
#define PERF_DIFF_CHANGE_H

#include "statistics.h"
#include "table.h"

/* Of a row, in all runs, below which nothing can be told: samples, and their part of all. */
#define DIFF_LEAST_SAMPLES 10
#define DIFF_LEAST_PART 1000 /* one of so many */

/* What a row's numbers are divided by. */
enum diff_norm {
	DIFF_PER_CYCLES,  /* the run's sum of periods: a share of what was counted */
	DIFF_PER_SAMPLES, /* the run's number of samples: a share of these */
	DIFF_PER_TIME,    /* the run's seconds */
	DIFF_PER_RUN,     /* nothing: each run did the same work */
};

struct diff_groups {
	u32 nr_before;       /* the first recordings; the others are after */
	enum diff_norm norm;
	double confidence;   /* of intervals; 1 - confidence is the rate of false discoveries */
	bool paired;         /* the nth runs are a pair: as many before as after, two at least */
	bool self, totals;   /* which numbers are compared: own ones, those with callees */
};

struct diff_change {
	u32 row;
	bool total;          /* with what it called */
	bool tested;         /* false: too few samples */
	bool same;           /* .total, and it calls nothing: the same as by itself */
	struct stat_change c;
	double q;            /* rate of false discoveries of all changes from here on */
};

struct diff_changes {
	VEC(struct diff_change) v; /* those beyond chance first, then by their size */
	u32 nr_beyond;             /* how many: the first ones */
	u32 nr_tested, nr_few;     /* rows by themselves or with callees, if not the same */
	struct stat_change run;    /* of the sum of the periods of a run */
	/*
	 * How much more runs of a group differ than counting samples explains: 1 is not more; 0:
	 * unknown, as groups are of one run.
	 */
	double dispersion;
};

/*
 * Compares the groups.
 * @out: for diff_changes__free()
 */
void diff_changes__make(struct diff_changes *out, const struct diff_table *t,
			const struct diff_groups *g);

/* Frees the list. */
void diff_changes__free(struct diff_changes *c);

/* Returns: whether numbers are parts of a run: percentages. */
static inline bool diff_norm__is_share(enum diff_norm norm)
{
	return norm == DIFF_PER_CYCLES || norm == DIFF_PER_SAMPLES;
}

#endif
