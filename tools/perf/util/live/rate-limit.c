// SPDX-License-Identifier: GPL-2.0-only
#include "rate-limit.h"

#include "../../../lib/unwind/core/types.h"

#define MINUTE_MS 60000
#define LOOK_MS 5000        /* not at each lump of work: some come together */
#define LEFT_PERCENT 90     /* when less was spent, the rate goes up */
#define WANTED_PERCENT 95   /* until this is */
#define MIN_STEP_PERCENT 125 /* down, or it would take many */
#define MAX_STEP_PERCENT 400
#define UP_PERCENT 50       /* of .slow: at most twice as fast as before */

void rate_limit__init(struct rate_limit *l, u64 share)
{
	*l = (struct rate_limit){ .share = share, .slow = RATE_FULL };
}

static void begin_minute(struct rate_limit *l, u64 now_ms, u64 spent_ns)
{
	l->from_ms = now_ms;
	l->from_ns = spent_ns;
}

/* Returns: 100 times as much is spent as may be. @ms, @ns: since the minute began */
static u64 percent_spent(const struct rate_limit *l, u64 ms, u64 ns)
{
	return ns * 100 / max_of(ms * l->share, (u64)1);
}

bool rate_limit__look(struct rate_limit *l, u64 now_ms, u64 spent_ns)
{
	u64 ms = now_ms - l->from_ms, ns = spent_ns - l->from_ns, of_minute, step;
	u32 before = l->slow;

	if (!l->from_ms) {
		begin_minute(l, now_ms, spent_ns);
		return false;
	}
	if (ms < LOOK_MS)
		return false;
	of_minute = percent_spent(l, max_of(ms, (u64)MINUTE_MS), ns);
	if (of_minute <= 100 && ms < MINUTE_MS)
		return false;
	if (of_minute > 100) {
		step = percent_spent(l, ms, ns);
		step = max_of(min_of(step, (u64)MAX_STEP_PERCENT), (u64)MIN_STEP_PERCENT);
		l->slow = min_of(l->slow * step / 100, (u64)RATE_SLOWEST);
	} else if (of_minute < LEFT_PERCENT) {
		step = max_of(of_minute * 100 / WANTED_PERCENT, (u64)UP_PERCENT);
		l->slow = max_of(l->slow * step / 100, (u64)RATE_FULL);
	}
	begin_minute(l, now_ms, spent_ns);
	return l->slow != before;
}
