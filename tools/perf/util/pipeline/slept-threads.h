/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that sleep during a whole recording of time off the CPU: no event tells of them. At the
 * end their stacks are read where they sleep, and they get a wait as long as the recording.
 */
#ifndef PERF_PIPELINE_SLEPT_THREADS_H
#define PERF_PIPELINE_SLEPT_THREADS_H

#include "../complete/waiting-stacks.h"
#include "../off-cpu/off-cpu.h"

#define SLEPT_THREADS 16384 /* that are looked at, at most: 0.1 ms each */

struct slept_threads;

/*
 * Reads and walks the stacks of the threads of @machine that are recorded, and of which @o knows
 * nothing.
 * @reader: for this call
 * Returns: what slept_threads__free() frees.
 */
struct slept_threads *slept_threads__read(struct machine *machine, struct complete *c,
					  const struct off_cpu *o,
					  const struct stack_reader *reader);

/* @s may be NULL. */
void slept_threads__free(struct slept_threads *s);

/*
 * Tells @o of those of which still nothing is known, when all records have come. @s may be NULL.
 */
void slept_threads__tell(const struct slept_threads *s, struct off_cpu *o);

#endif
