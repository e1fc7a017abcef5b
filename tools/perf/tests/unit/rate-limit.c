// SPDX-License-Identifier: GPL-2.0-only
/* How a recorder keeps to its share of a CPU. */
#include "../../util/live/rate-limit.h"
#include "../test.h"

#define PERCENT 10000

/*
 * A recorder that takes @cost ns a second at full rate, of which @fixed do not depend on it.
 * Returns: what it has taken in @seconds.
 */
static u64 run(struct rate_limit *l, u64 *now_ms, u64 *spent, u64 cost, u64 fixed, u32 seconds)
{
	u64 before = *spent;

	for (u32 i = 0; i < seconds * 10; i++) {
		*now_ms += 100;
		*spent += (fixed + (cost - fixed) * RATE_FULL / l->slow) / 10;
		rate_limit__look(l, *now_ms, *spent);
	}
	return *spent - before;
}

TEST(rate_limit, "--max-cpu: a minute costs no more for long, and the rate comes back")
{
	struct rate_limit l;
	u64 now = 1, spent = 0, took;

	rate_limit__init(&l, 1 * PERCENT);
	TEST_EQ(l.slow, (u32)RATE_FULL);
	/* Half of what it may: it stays. */
	run(&l, &now, &spent, 5000000, 0, 600);
	TEST_EQ(l.slow, (u32)RATE_FULL);
	/* Eight times as much: after some minutes it is what it may be, and not half of that. */
	run(&l, &now, &spent, 80000000, 0, 300);
	took = run(&l, &now, &spent, 80000000, 0, 3600);
	TEST_TRUE(took <= 3600 * 10000000ull * 105 / 100);
	TEST_TRUE(took >= 3600 * 10000000ull * 60 / 100);
	/* And back. */
	run(&l, &now, &spent, 5000000, 0, 1200);
	TEST_EQ(l.slow, (u32)RATE_FULL);
}

TEST(rate_limit_ends, "--max-cpu: however much it costs, some samples are left, and it comes back")
{
	struct rate_limit l;
	u64 now = 1, spent = 1000000000000ull; /* before the recording */

	rate_limit__init(&l, 1);
	run(&l, &now, &spent, 900000000, 800000000, 1200);
	TEST_EQ(l.slow, (u32)RATE_SLOWEST);
	run(&l, &now, &spent, 0, 0, 1200);
	TEST_EQ(l.slow, (u32)RATE_FULL);
	/* A lump, as the end of a child is, is one step. */
	spent += 3600000000000ull;
	run(&l, &now, &spent, 0, 0, 10);
	TEST_EQ(l.slow, (u32)RATE_FULL * 4);
	/* A clock that stands or a counter that is not to be had changes nothing. */
	TEST_TRUE(!rate_limit__look(&l, now, spent + 1));
}
