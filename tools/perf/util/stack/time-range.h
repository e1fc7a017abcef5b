/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --time: which part of a recording is shown.
 *
 * Forms: "START,STOP" in seconds with up to nine decimals, either side may be empty, a blank
 * may be behind the comma; several pairs divided by blanks; "10%/2" (the second tenth),
 * "0%-10%", several divided by commas.
 * The percent forms are parts of the time between the first and the last sample, which the
 * recording's header knows. Times are ns; both ends belong to a range, except that a percent
 * range ends just before the next one begins.
 */
#ifndef PERF_STACK_TIME_RANGE_H
#define PERF_STACK_TIME_RANGE_H

#include "../base/error.h"
#include "../../../lib/unwind/core/types.h"

#define TIME_RANGES_MAX 64

struct time_ranges {
	unsigned int nr; /* 0: everything */
	struct { u64 start, stop; } v[TIME_RANGES_MAX]; /* stop inclusive */
};

/*
 * Parses the argument of --time.
 * @s: the argument
 * @first, @last: times of the first and last sample, both 0 when unknown
 * Returns: 0; -EINVAL with words.
 */
int time_ranges__parse(struct time_ranges *r, const char *s, u64 first, u64 last,
		       struct error *err);

/* Returns: whether @time (ns) is in one of the ranges. */
static inline bool time_ranges__hold(const struct time_ranges *r, u64 time)
{
	if (!r->nr)
		return true;
	for (unsigned int i = 0; i < r->nr; i++)
		if (time >= r->v[i].start && time <= r->v[i].stop)
			return true;
	return false;
}

#endif
