/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether two groups of numbers differ by more than chance, and by how much: Student's t
 * distribution, Welch's comparison of two means, and the false discovery rate of many comparisons
 * (Benjamini and Hochberg, 1995). Probabilities are from 0 to 1.
 *
 * Numbers that are made of counted samples vary at least as counts do. A group of few numbers may
 * look steadier than that by luck, and one number has no variation to be seen: so a group is given
 * the variance that follows from its counts, and the larger of both is used.
 */
#ifndef PERF_DIFF_STATISTICS_H
#define PERF_DIFF_STATISTICS_H

#include "../../../lib/unwind/core/types.h"

/* Returns: the probability that a t of @df degrees of freedom is farther from 0 than @t. */
double student_t__beyond(double t, double df);

/*
 * Returns: the t of @df degrees of freedom that is exceeded, in either direction, with probability
 *         @p, of 0 < p < 1.
 */
double student_t__limit(double p, double df);

/* What is known of the numbers of a group. */
struct stat_group {
	u32 nr;
	double mean;
	double variance; /* of the mean: its standard error, squared */
	double df;       /* degrees of freedom; INFINITY: the variance is known, not estimated */
};

/*
 * Sums up a group.
 * @v, @nr: its numbers, at least one
 * @counting: the variance of their mean that follows from counting alone; 0: unknown
 * Returns: what is known of them.
 */
struct stat_group stat_group__of(const double *v, u32 nr, double counting);

struct stat_change {
	double before, after;
	double half;          /* of the interval of after - before */
	double relative;      /* (after - before) / before; INFINITY if only that is 0 */
	double relative_half; /* of the interval of .relative; INFINITY without before */
	double p;             /* of a difference as large, or larger, by chance */
};

/*
 * Compares two groups by Welch's method: their variances need not be equal. A group of one number
 * is taken to vary like the other one, and if that is of one, too, as its counts do.
 * @confidence: of the intervals: 0.99
 */
void stat_change__of(struct stat_change *c, const struct stat_group *before,
		     const struct stat_group *after, double confidence);

/*
 * Compares groups whose numbers belong together in pairs, as runs that were recorded in turns: what
 * changes slowly is the same in both of a pair, and does not count (Student's paired t).
 * @before, @after, @nr: the numbers, at least two pairs
 * @counting: the variances of the two means that follow from counting alone, before and after; the
 *            difference varies by their sum at least
 * @confidence: of the intervals: 0.99
 */
void stat_change__of_pairs(struct stat_change *c, const double *before, const double *after, u32 nr,
			   const double counting[2], double confidence);

/*
 * Makes of the probabilities of many comparisons those of a false discovery: among the comparisons
 * with at most q, a part of q is by chance.
 * @p, @nr: the probabilities; replaced
 */
void statistics__false_discovery(double *p, size_t nr);

#endif
