/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the clock that the records of a recording have their times of shows now. Without a clockid
 * (perf_event_attr.use_clockid) that is the kernel's own, which no system call reads: an event of
 * this process is stamped between two looks at CLOCK_MONOTONIC_RAW, which counts as fast.
 */
#ifndef PERF_LIVE_EVENT_CLOCK_H
#define PERF_LIVE_EVENT_CLOCK_H

#include "../data/recording.h"

struct event_clock {
	clockid_t id; /* that is read */
	u64 ahead;    /* ns by which it is ahead of the records' */
};

/*
 * @r: its events tell the clock
 * Returns: 0; -errno: the kernel's own cannot be read, as no event can be opened, or no page for it
 *         can be locked in memory.
 */
int event_clock__init(struct event_clock *c, const struct recording *r);

/* Returns: the time of a record that would be made now, ns. */
u64 event_clock__now(const struct event_clock *c);

#endif
