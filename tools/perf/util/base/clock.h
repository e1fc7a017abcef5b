/* SPDX-License-Identifier: GPL-2.0-only */
/* Time, in nanoseconds. */
#ifndef PERF_BASE_CLOCK_H
#define PERF_BASE_CLOCK_H

#include <time.h>

#include "../../../lib/unwind/core/types.h"

#define NSEC_PER_SEC 1000000000ULL
#define NSEC_PER_MSEC 1000000ULL

/* Returns: the present time of @clock (CLOCK_MONOTONIC, ...) in nanoseconds. */
static inline u64 clock__now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (u64)ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* Returns: @ns nanoseconds in the form that system calls take. */
static inline struct timespec clock__timespec(u64 ns)
{
	return (struct timespec){ .tv_sec = ns / NSEC_PER_SEC, .tv_nsec = ns % NSEC_PER_SEC };
}

/*
 * Parses a time in whole units: "10us", "2s".
 * @s: the text; "" is none
 * @unit: of a number without one, in nanoseconds; 0: there must be one
 * @ns: set
 * Returns: whether it is a time, of less than 2^32 units.
 */
bool clock__parse(const char *s, u64 unit, u64 *ns);

#endif
