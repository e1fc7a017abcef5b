/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of `perf record --off-cpu`: those that are opened, and `offcpu-time`, which is made of
 * them (off-cpu/off-cpu.h).
 */
#ifndef PERF_RECORD_OFF_CPU_EVENTS_H
#define PERF_RECORD_OFF_CPU_EVENTS_H

#include "../data/recording.h"
#include "../event/parse-events.h"
#include "../event/target.h"

struct off_cpu_plan {
	bool on;
	bool raw;           /* the samples of the switches are written, and nothing made of them */
	u64 min_ns;         /* waits shorter than this are counted, but are no samples */
	bool wakes;         /* out: who wakes whom is recorded, */
	const char *no_wakes; /* or why not */
};

/*
 * Appends the events to be opened: at the end of @list, after all others of the recording.
 * Returns: 0, or -errno with words.
 */
int off_cpu_events__add(struct off_cpu_plan *plan, struct event_list *list,
			const struct target *target, struct error *err);

/*
 * Adds `offcpu-time` to a recording that has all events that were opened.
 * Returns: 0, or -errno with words.
 */
int off_cpu_events__describe(const struct off_cpu_plan *plan, struct recording *rec,
			     struct error *err);

#endif
