/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a sample of the event `offcpu-time` says besides its period: how the time divides, and who
 * ended the wait. It is in the AUX part of the sample, which other readers pass over:
 *
 *	u32 magic, u16 version, u16 flags, u64 blocked, u64 runnable, u32 waker pid, u32 waker tid,
 *	and with WAIT_HAS_ARG: u64 arg
 *
 * in the byte order of the recorded machine. Later versions may append to it.
 */
#ifndef PERF_OFF_CPU_WAIT_H
#define PERF_OFF_CPU_WAIT_H

#include "../data/record.h"

#define OFF_CPU_EVENT "offcpu-time" /* upstream's name */

enum wait_flag {
	WAIT_PREEMPTED = 1,       /* it did not wait, but lost the CPU */
	WAIT_AT_END = 2,          /* it still waited when the recording ended: there was more */
	WAIT_WAKES_RECORDED = 4,  /* else .blocked is until it ran, woken or not */
	WAIT_WOKEN = 8,           /* by .waker_tid, or from an interrupt */
	WAIT_BY_INTERRUPT = 16,   /* the waker is whatever the interrupt found on the CPU */
	WAIT_UNINTERRUPTIBLE = 32, /* blocked in a way that no signal ends: D in ps(1) */
	WAIT_FROM_START = 64,     /* it waited before the recording began: there was more */
	WAIT_HAS_ARG = 128,       /* .arg is known */
};

struct off_cpu_wait {
	u16 flags;              /* enum wait_flag */
	u64 blocked, runnable;  /* ns; their sum is the period */
	u32 waker_pid, waker_tid; /* NO_ID: unknown */
	/*
	 * The register with the first argument of a system call, if the thread is in one: the
	 * user's registers are those of the entry into the kernel. 0 without WAIT_HAS_ARG.
	 */
	u64 arg;
};

/* Returns: how many bytes a wait is, encoded. @flags: its flags */
static inline size_t off_cpu_wait__size(u16 flags)
{
	return flags & WAIT_HAS_ARG ? 40 : 32;
}
#define OFF_CPU_WAIT_MAX 40

/* Writes off_cpu_wait__size() bytes at @out. */
void off_cpu_wait__encode(const struct off_cpu_wait *w, void *out);

/*
 * Reads what off_cpu_wait__encode() wrote, of either byte order.
 * @s: a sample of the event
 * Returns: false when it has no such part: then it is of another recorder.
 */
bool off_cpu_wait__decode(struct off_cpu_wait *w, const struct sample *s);

/* Returns: whether @ev is the event `offcpu-time`, of this recorder or of another. */
bool evsel__is_off_cpu(const struct evsel *ev);

/* Returns: the place of that event in @rec; NO_ID: it has none. */
u32 recording__off_cpu_event(const struct recording *rec);

#endif
