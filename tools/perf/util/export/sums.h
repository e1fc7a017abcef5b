/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples that are equal for a format, counted: those with the same stack and the same labels, as
 * far as it has these.
 */
#ifndef PERF_EXPORT_SUMS_H
#define PERF_EXPORT_SUMS_H

#include "export.h"

enum sum_label {
	SUM_PID = 1, SUM_TID = 2, SUM_CPU = 4, SUM_EVENT = 8, SUM_COMM = 16, SUM_STACK = 32,
	SUM_ACTIVITY = 64,
};

/* The labels of samples; what is not kept is 0. Has no bytes between its members. */
struct sum_labels {
	const char *comm, *stack, *activity;
	u32 pid, tid, cpu, event;
};

struct sum {
	u32 node, labels;        /* labels: number in sums.labels */
	u64 nr, period;
};

/* A sample that is not counted so far. A power of two wait, as what they need is fetched. */
#define SUMS_WAITING 16

struct sum_waiting {
	u32 node, labels;
	u64 hash, period;
};

struct sums {
	u32 kept;                /* enum sum_label: the others are no difference */
	VEC(struct sum_labels) labels;
	u32 last;                /* number of the labels of the last sample: mostly the next's */
	VEC(struct sum) v;       /* in the order in which they came */
	struct index labels_index, index;
	struct sum_waiting waiting[SUMS_WAITING];
	u64 nr_wanted, nr_taken; /* of .waiting: from the beginning, to and from it */
};

/* Counts a sample. @s: all zero but .kept. Returns the number of its sum in .v. */
u32 sums__add(struct sums *s, const struct export_sample *sample);

/* The same, but later, which is faster. sums__end() ends it, before .v is read. */
void sums__count(struct sums *s, const struct export_sample *sample);

/* Counts what waits. */
void sums__end(struct sums *s);

/*
 * Puts .v in the order of a walk of the tree of stacks, from callers to callees: then one stack is
 * mostly the one before with few other frames. What waits is counted; no sample can be added then.
 */
void sums__by_stack(struct sums *s, const struct stack_table *t);

/* Returns: the node of a sum that comes soon behind the one with the number @i; 0: none. */
static inline u32 sums__node_soon(const struct sums *s, size_t i)
{
	return i + SUMS_WAITING < s->v.nr ? s->v.v[i + SUMS_WAITING].node : 0;
}

/* Frees it. */
void sums__free(struct sums *s);

#endif
