// SPDX-License-Identifier: GPL-2.0-only
/* The account of one thread's time, event by event. */
#include "../../util/base/mem.h"
#include "../../util/off-cpu/thread-time.h"
#include "../test.h"

#define AT(ns, lost) ((struct moment){ ns, lost, false })
#define BLIND_AT(ns, lost) ((struct moment){ ns, lost, true })

static void expect(const struct thread_time *t, u64 on, u64 runnable, u64 blocked, u64 unknown)
{
	TEST_EQ(t->ns[THREAD_ON], on);
	TEST_EQ(t->ns[THREAD_RUNNABLE], runnable);
	TEST_EQ(t->ns[THREAD_BLOCKED], blocked);
	TEST_EQ(t->ns[THREAD_UNKNOWN], unknown);
	TEST_EQ(on + runnable + blocked + unknown, t->since - t->began);
}

TEST(thread_time_whole, "off-CPU: a thread is on a CPU, blocked until woken, then runnable")
{
	struct thread_time t = {};
	struct off_stretch s;

	thread_time__on(&t, AT(1000, 0));
	thread_time__leaving(&t, AT(1100, 0));
	thread_time__out(&t, AT(1105, 0), false);
	TEST_TRUE(thread_time__wake(&t, AT(1500, 0)));
	TEST_TRUE(!thread_time__wake(&t, AT(1600, 0))); /* it is awake */
	TEST_TRUE(thread_time__in(&t, AT(1700, 0), &s));
	TEST_EQ(s.out, 1100);
	TEST_EQ(s.in, 1700);
	TEST_EQ(s.blocked, 400);
	TEST_EQ(s.runnable, 200);
	TEST_TRUE(s.woken && !s.preempted);
	thread_time__leaving(&t, AT(1800, 0));
	thread_time__out(&t, AT(1810, 0), true);
	TEST_TRUE(!thread_time__wake(&t, AT(1850, 0))); /* it does not wait for that */
	TEST_TRUE(thread_time__in(&t, AT(1900, 0), &s));
	TEST_TRUE(s.preempted && !s.woken);
	TEST_EQ(s.blocked, 0);
	TEST_EQ(s.runnable, 100);
	TEST_TRUE(!thread_time__end(&t, AT(2000, 0), &s)); /* on a CPU */
	expect(&t, 100 + 100 + 100, 200 + 100, 400, 0);
}

TEST(thread_time_wake_race, "off-CPU: a wake while the stack is copied counts")
{
	struct thread_time t = {};
	struct off_stretch s;

	thread_time__on(&t, AT(0, 0));
	thread_time__leaving(&t, AT(100, 0));
	TEST_TRUE(thread_time__wake(&t, AT(103, 0)));
	thread_time__out(&t, AT(110, 0), false);
	TEST_TRUE(thread_time__in(&t, AT(200, 0), &s));
	TEST_EQ(s.blocked, 3);
	TEST_EQ(s.runnable, 97);
	expect(&t, 100, 97, 3, 0);
}

TEST(thread_time_no_wakes, "off-CPU: without wakes a thread is blocked until it runs")
{
	struct thread_time t = {};
	struct off_stretch s;

	thread_time__out(&t, AT(100, 0), false);
	TEST_TRUE(thread_time__in(&t, AT(300, 0), &s));
	TEST_EQ(s.blocked, 200);
	TEST_TRUE(!s.woken);
	thread_time__out(&t, AT(400, 0), false);
	TEST_TRUE(thread_time__end(&t, AT(1000, 0), &s));
	TEST_EQ(s.blocked, 600);
	expect(&t, 100, 0, 800, 0);
}

TEST(thread_time_half, "off-CPU: half of a switch alone makes no known time")
{
	struct thread_time t = {}, u = {}, v = {};
	struct off_stretch s;

	/* In, in: when did it leave? */
	TEST_TRUE(!thread_time__in(&t, AT(100, 0), &s));
	TEST_TRUE(!thread_time__in(&t, AT(300, 0), &s));
	thread_time__out(&t, AT(350, 0), false);
	expect(&t, 50, 0, 0, 200);
	/* Out, out: when was it back? */
	thread_time__out(&u, AT(100, 0), false);
	thread_time__leaving(&u, AT(300, 0));
	thread_time__out(&u, AT(310, 0), false);
	TEST_TRUE(thread_time__in(&u, AT(400, 0), &s));
	TEST_EQ(s.out, 300);
	expect(&u, 0, 0, 100, 200);
	/* The sample without its switch: did it leave at all? */
	thread_time__on(&v, AT(50, 0));
	thread_time__leaving(&v, AT(100, 0));
	TEST_TRUE(!thread_time__in(&v, AT(400, 0), &s));
	thread_time__out(&v, AT(500, 0), true);
	expect(&v, 50 + 100, 0, 0, 300);
}

TEST(thread_time_lost, "off-CPU: what lies across a loss of records is unknown")
{
	struct thread_time t = {};
	struct off_stretch s;

	thread_time__on(&t, AT(0, 0));
	thread_time__leaving(&t, AT(100, 0));
	thread_time__out(&t, AT(100, 0), false);
	TEST_TRUE(!thread_time__wake(&t, AT(150, 1)));
	TEST_TRUE(!thread_time__in(&t, AT(500, 1), &s));
	thread_time__leaving(&t, AT(600, 1));
	thread_time__out(&t, AT(620, 2), false); /* lost between the two */
	TEST_TRUE(thread_time__in(&t, AT(700, 2), &s));
	TEST_EQ(s.out, 620);
	thread_time__on(&t, AT(800, 3)); /* a sample is better than nothing */
	TEST_TRUE(!thread_time__end(&t, AT(900, 3), &s));
	expect(&t, 100 + 100 + 100, 0, 80, 400 + 20 + 100);
}

TEST(thread_time_clocks, "off-CPU: a clock that goes back makes no time")
{
	struct thread_time t = {};
	struct off_stretch s;

	thread_time__on(&t, AT(1000, 0));
	thread_time__out(&t, AT(900, 0), false);
	TEST_TRUE(thread_time__in(&t, AT(800, 0), &s));
	TEST_EQ(s.in - s.out, 0);
	TEST_EQ(s.blocked + s.runnable, 0);
	thread_time__out(&t, AT(1100, 0), true);
	TEST_TRUE(thread_time__end(&t, AT(1000, 0), &s));
	expect(&t, 100, 0, 0, 0);
}

TEST(thread_time_within, "off-CPU: of parts of a recording only what lies in them counts")
{
	struct time_within within = { .nr = 2 };
	struct thread_time t = { .within = &within };
	struct off_stretch w;

	within.v = xmalloc(2 * sizeof(*within.v));
	within.v[0].from = 150;
	within.v[0].to = 250;
	within.v[1].from = 310;
	within.v[1].to = 1000;
	thread_time__on(&t, AT(100, 0));
	thread_time__out(&t, AT(200, 0), false);
	TEST_TRUE(thread_time__wake(&t, AT(300, 0)));
	TEST_TRUE(thread_time__in(&t, AT(330, 0), &w));
	TEST_EQ(w.blocked, 100);
	TEST_EQ(t.ns[THREAD_ON], 50);
	TEST_EQ(t.ns[THREAD_BLOCKED], 50);
	TEST_EQ(t.ns[THREAD_RUNNABLE], 20);
	TEST_EQ(thread_time__on_cpu(&t, 340), 60);
	thread_time__out(&t, AT(2000, 0), false);
	TEST_EQ(t.ns[THREAD_ON], 50 + 670);
	free(within.v);
}

TEST(thread_time_made, "off-CPU: a sample of a wait divides the time between switches")
{
	struct thread_time t = {};
	struct off_stretch s, w = { .out = 1100, .in = 1700, .blocked = 400, .runnable = 200 };

	thread_time__on(&t, AT(1000, 0));
	thread_time__out(&t, AT(1105, 0), false);
	thread_time__whole(&t, &w, 0);
	thread_time__in(&t, AT(1700, 0), &s);
	expect(&t, 100, 200, 400, 0);
	/* Lies of a file: longer than there was time, or of the past. */
	w = (struct off_stretch){ .out = 100, .in = 2000, .blocked = 1900 };
	thread_time__whole(&t, &w, 0);
	TEST_EQ(t.ns[THREAD_BLOCKED], 700);
	w = (struct off_stretch){ .out = 100, .in = 200, .blocked = 100 };
	thread_time__whole(&t, &w, 0);
	expect(&t, 100, 200, 700, 0);
}

TEST(thread_time_random, "off-CPU: whatever comes in whatever order, the parts add up")
{
	struct thread_time t = {};
	struct off_stretch s;
	u64 seed = 1, time = 1000, losses = 0;

	for (int i = 0; i < 200000; i++) {
		bool known = false;

		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		time += (seed >> 40) % 100;
		time -= (seed >> 50) % 20;
		losses += !((seed >> 33) % 50);
		switch ((seed >> 60) % 7) {
		case 0: thread_time__leaving(&t, AT(time, losses)); break;
		case 1: thread_time__out(&t, AT(time, losses), seed >> 59 & 1); break;
		case 2: thread_time__wake(&t, AT(time, losses)); break;
		case 3: known = thread_time__in(&t, AT(time, losses), &s); break;
		case 4: thread_time__on(&t, AT(time, losses)); break;
		case 5: known = thread_time__end(&t, AT(time, losses), &s); break;
		case 6:
			s = (struct off_stretch){ .out = time - 50, .in = time, .blocked = 20,
						  .runnable = 30 };
			thread_time__whole(&t, &s, losses);
		}
		if (known) {
			TEST_TRUE(s.in >= s.out);
			TEST_EQ(s.blocked + s.runnable, s.in - s.out);
		}
		TEST_EQ(t.ns[0] + t.ns[1] + t.ns[2] + t.ns[3], t.since - t.began);
	}
}

TEST(thread_time_blind, "off-CPU: where a CPU has no events, who leaves another may be there")
{
	struct thread_time t = {}, child = {};
	struct off_stretch st;

	thread_time__on(&t, AT(1000, 0));
	thread_time__out(&t, AT(1100, 0), false);
	/* The CPU comes online: what goes on is unknown, as after a loss. */
	TEST_TRUE(!thread_time__in(&t, BLIND_AT(1300, 1), &st));
	expect(&t, 100, 0, 0, 200);
	thread_time__leaving(&t, BLIND_AT(1400, 1));
	TEST_TRUE(thread_time__wake(&t, BLIND_AT(1401, 1)));
	thread_time__out(&t, BLIND_AT(1402, 1), false);
	TEST_TRUE(!thread_time__in(&t, BLIND_AT(1500, 1), &st));
	expect(&t, 200, 0, 0, 300);
	thread_time__out(&t, BLIND_AT(1600, 1), true);
	TEST_TRUE(!thread_time__wake(&t, BLIND_AT(1650, 1)));
	TEST_TRUE(!thread_time__end(&t, BLIND_AT(1700, 1), &st));
	expect(&t, 300, 0, 0, 400);
	thread_time__born(&child, BLIND_AT(1000, 1));
	TEST_TRUE(!thread_time__in(&child, BLIND_AT(1200, 1), &st));
	expect(&child, 0, 0, 0, 200);
}
