/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many of the recorded threads are on a CPU at a time, from the records of their switches. What
 * runs beside others costs the less wall time: of a sample with a parallelism of 4, a fourth.
 */
#ifndef PERF_OFF_CPU_PARALLELISM_H
#define PERF_OFF_CPU_PARALLELISM_H

#include "../base/hash.h"
#include "../data/record.h"

/* All zero is empty. */
struct parallelism {
	struct map64 on;         /* tids of threads on a CPU */
};

/* Frees the table. */
void parallelism__free(struct parallelism *p);

/* Is shown each record that is no sample, in the order of time. */
void parallelism__record(struct parallelism *p, const struct record *rec);

/*
 * To be called for each sample in the order of time, except those of waits.
 * Returns: the number of threads on a CPU, with the one that was sampled; at least 1.
 */
u32 parallelism__sample(struct parallelism *p, const struct record *rec);

#endif
