/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much slower to sample, so that a recorder which goes on for days takes no more than a share
 * of a CPU. It has a budget for each minute. When that is spent before the minute is over, the rate
 * goes down by as much as it was spent too fast, and another minute begins; when some of it is
 * left at the end, the rate goes up again, but slowly. So what is costly once, as a build whose
 * compilers' binaries are read, does not cost samples for long.
 */
#ifndef PERF_LIVE_RATE_LIMIT_H
#define PERF_LIVE_RATE_LIMIT_H

#include "../../../lib/unwind/core/types.h"

#define RATE_FULL 100 /* as fast as was asked for */
#define RATE_SLOWEST 3200

struct rate_limit {
	u64 share;    /* of a CPU: 10,000 is one percent */
	u64 from_ms;  /* when the minute began; 0: none has yet */
	u64 from_ns;  /* of CPU time, that had been spent then */
	u32 slow;     /* RATE_FULL to RATE_SLOWEST: 200 is half as fast as was asked for */
};

/* Begins. @share: as above */
void rate_limit__init(struct rate_limit *l, u64 share);

/*
 * Looks whether the rate has to change.
 * @now_ms: of a clock that never goes back
 * @spent_ns: CPU time since whenever
 * Returns: whether .slow is another one now.
 */
bool rate_limit__look(struct rate_limit *l, u64 now_ms, u64 spent_ns);

#endif
