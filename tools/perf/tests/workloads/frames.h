/* SPDX-License-Identifier: GPL-2.0-only */
/* For workloads: functions that keep their frames and names, and work for them. Internal. */
#ifndef PERF_TESTS_WORKLOADS_FRAMES_H
#define PERF_TESTS_WORKLOADS_FRAMES_H

#include "../../util/base/clock.h"

/* A clone would have another name, and of two functions with the same code one would be left. */
#if __has_attribute(noclone) && __has_attribute(no_icf)
#define NOINLINE __attribute__((noinline, noclone, no_icf))
#else
#define NOINLINE __attribute__((noinline))
#endif
/* Behind a call: keeps the caller's frame on the stack until the call is back. */
#define NO_TAIL_CALL() __asm__ volatile("" ::: "memory")

/* Some 0.2 ms in the function that it stands in. @v: an unsigned long, which changes */
#define WORK(v)                                                          \
	for (int i_ = 0; i_ < 200000; i_++) {                            \
		(v) = (v) * 6364136223846793005UL + 1442695040888963407UL; \
		NO_TAIL_CALL();                                          \
	}

/* Returns: when the calling thread has used the CPU for @sec more, for is_before(). */
static inline u64 end_of(double sec)
{
	return clock__now(CLOCK_THREAD_CPUTIME_ID) + sec * NSEC_PER_SEC;
}

/* CPU time of the thread, so that a busy machine does not make fewer samples. */
static inline bool is_before(u64 end)
{
	return clock__now(CLOCK_THREAD_CPUTIME_ID) < end;
}

/* Returns: argument @i in seconds; 1 where there is none, or it is not positive. */
double workload__arg_sec(int argc, const char **argv, int i);

#endif
