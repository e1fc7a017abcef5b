/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What samples are worth in time, for a reader to whom time on and off the CPU are the same: wall
 * time.
 *
 * A sample of a wait is worth its period, in up to two parts: blocked, then runnable. A sample of
 * what runs is worth the time on a CPU that its thread had since the last one, whatever the event
 * counts: so the samples of a thread add up to its time, but for the part behind the last one.
 */
#ifndef PERF_OFF_CPU_TIME_PARTS_H
#define PERF_OFF_CPU_TIME_PARTS_H

#include "off-cpu.h"

struct time_part {
	enum thread_state state;
	bool uninterruptible;   /* BLOCKED: no signal ends it */
	bool by_interrupt;      /* an interrupt has woken it, whoever it found on the CPU */
	u32 waker_pid, waker_tid; /* NO_ID: unknown, or nobody has */
	u32 nr;                 /* which part of its sample it is, from 0 on */
	u64 ns;
};

#define TIME_PARTS_MAX 2 /* of a sample */

struct time_parts;

/*
 * @o: the stage of the pipeline that the samples come from; NULL: a recording of another recorder,
 *         whose waits are blocked as a whole and whose other samples are worth nothing
 * Returns: what time_parts__free() frees.
 */
struct time_parts *time_parts__new(const struct off_cpu *o, const struct recording *rec);

/* @tp may be NULL. */
void time_parts__free(struct time_parts *tp);

/*
 * Divides a sample, to be called once for each, in their order. Only one event counts beside
 * `offcpu-time`: the first that samples what runs.
 * @out: has TIME_PARTS_MAX items
 * Returns: how many are filled; 0: it is worth nothing.
 */
u32 time_parts__of(struct time_parts *tp, const struct whole_sample *ws, struct time_part *out);

/*
 * Returns: the time of all threads in @state that no sample was worth, ns; complete at the end. On
 *         a CPU behind the last sample; waits without a stack, as that of a new thread.
 */
u64 time_parts__left(const struct time_parts *tp, enum thread_state state);

#endif
