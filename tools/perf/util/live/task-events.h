/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of one process that are opened while a recording runs, and write into its rings.
 */
#ifndef PERF_LIVE_TASK_EVENTS_H
#define PERF_LIVE_TASK_EVENTS_H

#include "event-set.h"

struct task_events {
	VEC(int) fds;
	VEC(u64) ids; /* of the samples, parallel to .fds */
};

/*
 * Opens an event for each thread of a process on each CPU of the set, disabled.
 * @t: filled; for task_events__close()
 * @set: open and mapped
 * @event: the index of the one in @set whose rings they write into
 * @attr: of the events
 * @pid: the process
 * Returns: 0, or -errno with words; then nothing is open.
 */
int task_events__open(struct task_events *t, const struct event_set *set, size_t event,
		      const struct perf_event_attr *attr, u32 pid, struct error *err);

/* Enables them. */
void task_events__enable(const struct task_events *t);

/* Disables them. */
void task_events__disable(const struct task_events *t);

/* Closes them: there are no more samples, and no signals. */
void task_events__close(struct task_events *t);

#endif
