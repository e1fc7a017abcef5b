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

struct sums {
	u32 kept;                /* enum sum_label: the others are no difference */
	VEC(struct sum_labels) labels;
	u32 last;                /* number of the labels of the last sample: mostly the next's */
	VEC(struct sum) v;       /* in the order in which they came */
	struct index labels_index, index;
};

/* Counts a sample. @s: all zero but .kept. Returns the number of its sum in .v. */
u32 sums__add(struct sums *s, const struct export_sample *sample);

/* Frees it. */
void sums__free(struct sums *s);

#endif
