/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the time of one thread goes: on a CPU, runnable (it wants a CPU), blocked (it waits for
 * something else), or unknown. A state machine over the events of that thread, in the order of
 * time, without any knowledge of records.
 *
 * A time is counted only when both of its ends were seen, and no record was lost in between; one
 * off the CPU, only while all CPUs have events. What is between two known times otherwise is
 * unknown; so the four always add up to what passed between the first and the last event of the
 * thread.
 */
#ifndef PERF_OFF_CPU_THREAD_TIME_H
#define PERF_OFF_CPU_THREAD_TIME_H

#include "../../../lib/unwind/core/types.h"

enum thread_state {
	THREAD_UNKNOWN,
	THREAD_ON,
	THREAD_RUNNABLE,
	THREAD_BLOCKED,
	THREAD_STATES
};

/* Parts of a recording, from one time to another (ns), in their order and apart. */
struct time_within {
	struct { u64 from, to; } *v;
	size_t nr;
};

struct thread_time {
	u64 ns[THREAD_STATES];
	u64 began, since;        /* the first event, and the last that was counted up to */
	/* Internal. */
	enum thread_state state; /* since .since */
	bool seen, preempted, woken;
	u64 leaving;             /* time of the switch sample, until the switch itself; 0: none */
	u64 wake;                /* woken while it was leaving; 0: not */
	u64 out;                 /* when it left the CPU; 0: unknown */
	u64 losses;              /* the count at .since */
	u64 on;                  /* as ns[THREAD_ON], of all of the time */
	const struct time_within *within; /* what counts; NULL: all. Set before its first event */
};

/* A time off the CPU that is known from end to end. */
struct off_stretch {
	u64 out, in;             /* ns */
	u64 blocked, runnable;   /* their sum is .in - .out */
	bool preempted;          /* it was runnable when it left */
	bool woken;              /* somebody was seen to wake it */
};

/* When an event of a thread comes. */
struct moment {
	u64 time;                /* ns; before an earlier one (clocks differ), it counts as that */
	u64 losses;              /* how often records were lost; between two counts is unknown */
	bool blind;              /* there are CPUs without events: who leaves one may be there */
};

/* It is on a CPU, and begins to leave it: the sample of a context switch, before the switch. */
void thread_time__leaving(struct thread_time *t, struct moment now);

/* It has left the CPU. @preempted: it would go on if it could. */
void thread_time__out(struct thread_time *t, struct moment now, bool preempted);

/*
 * Somebody wakes it.
 * Returns: whether it was off the CPU, or about to leave it: whether the wake ends its wait.
 */
bool thread_time__wake(struct thread_time *t, struct moment now);

/*
 * It is on a CPU again.
 * @out: filled when all of the time since it left is known
 * Returns: whether it is.
 */
bool thread_time__in(struct thread_time *t, struct moment now, struct off_stretch *out);

/* It is on a CPU: a sample of it. This is believed only if nothing else is known. */
void thread_time__on(struct thread_time *t, struct moment now);

/* It was made by its parent, and waits for its first turn. */
void thread_time__born(struct thread_time *t, struct moment now);

/*
 * It ends, or the recording does: nothing is counted from here on.
 * @out: filled as by thread_time__in(), for a thread that is off the CPU
 * Returns: whether it is.
 */
bool thread_time__end(struct thread_time *t, struct moment now, struct off_stretch *out);

/*
 * Returns: the time on a CPU until @time, at which it is on one if that is not known to be
 *         otherwise.
 */
u64 thread_time__on_cpu(const struct thread_time *t, u64 time);

/*
 * Of a recording in which somebody made samples of whole stretches: one from @w->out to @w->in,
 * which replaces what the switches said of that time: these are later by the cost of the sample,
 * and do not know of wakes.
 * @losses: as in struct moment
 */
void thread_time__whole(struct thread_time *t, const struct off_stretch *w, u64 losses);

#endif
