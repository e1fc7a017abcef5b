// SPDX-License-Identifier: GPL-2.0-only
#include "../../util/base/hash.h"
#include "../../util/base/vec.h"
#include "../../util/order/horizon.h"
#include "../../util/order/order.h"
#include "../test.h"

/* What left, and how often what was pushed was released. */
struct seen {
	VEC(struct record) recs;
	u64 released;
	int fail_at; /* emit returns -EIO at this record; -1: never */
};

static int on_emit(void *ctx, struct record *rec)
{
	struct seen *s = ctx;

	*vec__push(&s->recs) = *rec;
	return s->fail_at >= 0 && s->recs.nr == (size_t)s->fail_at + 1 ? -EIO : 0;
}

static void on_release(void *ctx, struct record *rec __unused_arg)
{
	((struct seen *)ctx)->released++;
}

static struct order *new_order(struct seen *s)
{
	memset(s, 0, sizeof(*s));
	s->fail_at = -1;
	return order__new(&(struct order_ops){ on_emit, on_release, s });
}

static void push(struct order *o, u64 time, u64 offset)
{
	TEST_EQ(order__push(o, &(struct record){ .time = time, .offset = offset }), 0);
}

static void expect_sorted(const struct seen *s, size_t nr)
{
	TEST_EQ(s->recs.nr, nr);
	for (size_t i = 1; i < nr; i++) {
		const struct record *a = &s->recs.v[i - 1], *b = &s->recs.v[i];

		TEST_TRUE(a->time < b->time || (a->time == b->time && a->offset < b->offset));
	}
}

TEST(order_equal_times, "order: equal times keep the order of arrival")
{
	struct seen s;
	struct order *o = new_order(&s);
	static const u64 times[] = { 5, 3, 5, 1, 3, 5, 1, 9, 3 };

	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		push(o, times[i], i);
	TEST_EQ(order__flush(o), 0);
	expect_sorted(&s, ARRAY_SIZE(times));
	TEST_EQ(order__counts(o).held, 0);
	TEST_EQ(order__counts(o).max_held, ARRAY_SIZE(times));
	order__free(o);
	TEST_EQ(s.released, ARRAY_SIZE(times));
	vec__free(&s.recs);
}

TEST(order_runs, "order: as many runs as buffers, and none is kept without need")
{
	struct seen s;
	struct order *o = new_order(&s);
	u64 seq = 0;

	/* Two buffers in turn, each with equal times. */
	for (int i = 0; i < 100; i++) {
		push(o, 2000 + i / 4, seq++);
		push(o, 1000 + i / 4, seq++);
	}
	TEST_EQ(order__counts(o).runs, 2);
	order__flush(o);
	/* A buffer that is reversed has as many runs as records, of which not too many stay. */
	for (int i = 0; i < 64; i++)
		push(o, 3000 - i, seq++);
	TEST_EQ(order__counts(o).runs, 64);
	order__flush(o);
	TEST_EQ(order__counts(o).runs, 64);
	for (int i = 0; i < 65; i++)
		push(o, 4000 - i, seq++);
	TEST_EQ(order__counts(o).runs, 65);
	order__advance(o, 3936); /* the smallest leaves */
	TEST_EQ(order__counts(o).runs, 65);
	order__flush(o);
	TEST_EQ(order__counts(o).runs, 0);
	push(o, 5000, seq++);
	TEST_EQ(order__counts(o).runs, 1);
	order__free(o);
	TEST_EQ(s.released, seq);
	vec__free(&s.recs);
}

TEST(order_no_time, "order: a record without a time stays behind the newest before it")
{
	struct seen s;
	struct order *o = new_order(&s);
	static const u64 want[] = { 0, 4, 1, 2, 3, 5 };

	push(o, NO_TIME, 0);
	push(o, 10, 1);
	push(o, NO_TIME, 2);
	push(o, NO_TIME, 3);
	push(o, 5, 4);
	push(o, 11, 5);
	order__flush(o);
	TEST_EQ(s.recs.nr, ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		TEST_EQ(s.recs.v[i].offset, want[i]);
	order__free(o);
	vec__free(&s.recs);
}

TEST(order_late, "order: what is older than what has left comes at once and is counted")
{
	struct seen s;
	struct order *o = new_order(&s);

	push(o, 10, 0);
	push(o, 20, 1);
	order__advance(o, 10);
	TEST_EQ(s.recs.nr, 1);
	push(o, 10, 2); /* as old as what left is not older */
	TEST_EQ(order__counts(o).late, 0);
	push(o, 9, 3);
	TEST_EQ(order__counts(o).late, 1);
	TEST_EQ(s.recs.nr, 2);
	TEST_EQ(s.recs.v[1].offset, 3);
	TEST_EQ(s.released, 2);
	order__flush(o);
	TEST_EQ(s.recs.nr, 4);
	TEST_EQ(s.recs.v[2].offset, 2);
	order__free(o);
	vec__free(&s.recs);
}

TEST(order_hold_at_most, "order: a wrong time at the end of a file does not hold all of it")
{
	struct seen s;
	struct order *o = new_order(&s);
	const u64 nr = 10000;

	order__hold_at_most(o, 100);
	/* Nothing may leave before the last record, which says that it is the first. */
	for (u64 i = 0; i < nr; i++) {
		push(o, 1000 + (i ^ 1), i);
		TEST_EQ(order__advance(o, 5), 0);
		TEST_TRUE(order__counts(o).held <= 100);
	}
	TEST_TRUE(order__counts(o).max_held <= 101);
	TEST_EQ(order__counts(o).late, 0);
	push(o, 5, nr);
	TEST_EQ(order__counts(o).late, 1);
	TEST_EQ(order__flush(o), 0);
	TEST_EQ(s.recs.nr, nr + 1);
	TEST_EQ(s.released, nr + 1);
	for (size_t i = 1, last = 0; i < s.recs.nr; i++) {
		if (s.recs.v[i].offset == nr)
			continue;
		TEST_TRUE(s.recs.v[i].time > s.recs.v[last].time);
		last = i;
	}
	order__free(o);
	vec__free(&s.recs);
}

TEST(order_hold_half, "order: of more than are held, the earlier half leaves")
{
	struct seen s;
	struct order *o = new_order(&s);

	order__hold_at_most(o, 100);
	for (u64 i = 0; i < 100; i++)
		push(o, 1000 + i, i);
	TEST_EQ(order__counts(o).held, 100);
	push(o, 2000, 100);
	TEST_EQ(order__counts(o).held, 50);
	expect_sorted(&s, 51);
	order__free(o);
	TEST_EQ(s.released, 101);
	vec__free(&s.recs);
}

TEST(order_free, "order: what is still held is released in the end, however many runs have left")
{
	struct seen s;
	struct order *o = new_order(&s);
	u64 seq = 0;

	for (int i = 0; i < 5; i++)
		push(o, 5000 + i, seq++);
	for (int i = 0; i < 200; i++)
		push(o, 4000 - i, seq++);
	TEST_EQ(order__advance(o, 3999), 0);
	TEST_EQ(order__counts(o).runs, 2);
	TEST_EQ(order__counts(o).held, 6);
	TEST_EQ(order__advance(o, 5001), 0);
	TEST_EQ(order__counts(o).held, 3);
	push(o, 5500, seq++);
	push(o, 5200, seq++);
	TEST_EQ(order__counts(o).runs, 2);
	TEST_EQ(s.released, 202);
	order__free(o);
	TEST_EQ(s.released, seq);
	vec__free(&s.recs);
}

TEST(order_rounds, "order: a round lets out what was read before the round before it ended")
{
	struct seen s;
	struct order *o = new_order(&s);

	push(o, 10, 0);
	push(o, 30, 1);
	push(o, 20, 2);
	order__round(o);
	TEST_EQ(s.recs.nr, 0);
	push(o, 25, 3);
	push(o, 40, 4);
	order__round(o); /* up to 30 */
	TEST_EQ(s.recs.nr, 4);
	expect_sorted(&s, 4);
	order__round(o); /* up to 40 */
	TEST_EQ(s.recs.nr, 5);
	order__free(o);
	vec__free(&s.recs);
}

#define SECOND 1000000000ull
#define UPTIME (5000 * SECOND)
#define FUTURE (140735 * SECOND) /* what an address of a stack looks like */

static u64 clock_ns; /* what fake_clock() says */

static u64 fake_clock(void)
{
	return clock_ns;
}

static struct order *new_rounds(struct seen *s, u64 (*now)(void))
{
	struct order *o = new_order(s);

	order__by_rounds(o, now);
	return o;
}

/* A round of 100 records in a tenth of a second from @time on; as ever, two CPUs. */
static void push_round(struct order *o, u64 time)
{
	for (u64 i = 0; i < 100; i++)
		push(o, time + i % 50 * 2000000 + i / 50, 0);
	order__round(o);
}

static void expect_ascending(const struct seen *s, size_t from, size_t to)
{
	for (size_t i = from + 1; i < to; i++)
		TEST_TRUE(s->recs.v[i].time >= s->recs.v[i - 1].time);
}

static void done(struct order *o, struct seen *s)
{
	order__flush(o);
	TEST_EQ(order__counts(o).held, 0);
	order__free(o);
	TEST_EQ(s->released, s->recs.nr);
	vec__free(&s->recs);
}

TEST(order_future, "order: a record from the future disturbs no other, and does not wait for it")
{
	for (u32 bad_round = 0; bad_round < 20; bad_round++) {
		struct seen s;
		struct order *o = new_rounds(&s, bad_round % 2 ? fake_clock : NULL);

		for (u32 i = 0; i < 20; i++) {
			clock_ns = i * SECOND / 10;
			if (i == bad_round)
				for (u64 k = 0; k < 5; k++)
					push(o, FUTURE + k * SECOND, 7);
			push_round(o, UPTIME + i * SECOND / 10);
		}
		TEST_EQ(order__counts(o).late, 0);
		TEST_EQ(order__counts(o).odd, bad_round < 18 ? 5 : 0);
		order__flush(o);
		TEST_EQ(s.recs.nr, 2005);
		expect_ascending(&s, 0, s.recs.nr);
		for (size_t i = 0; i < s.recs.nr && bad_round < 18; i++)
			TEST_TRUE(s.recs.v[i].time < UPTIME + 2 * SECOND);
		done(o, &s);
	}
}

TEST(order_future_alone, "order: a false time that nothing contradicts at first is soon known")
{
	struct seen s;
	struct order *o = new_rounds(&s, NULL);
	u64 late;

	push(o, FUTURE, 0);
	for (u32 i = 0; i < 3; i++)
		order__round(o);
	TEST_EQ(s.recs.nr, 1);
	for (u32 i = 0; i < 3; i++)
		push_round(o, UPTIME + i * SECOND / 10);
	late = order__counts(o).late;
	TEST_TRUE(late <= 200);
	for (u32 i = 3; i < 20; i++)
		push_round(o, UPTIME + i * SECOND / 10);
	TEST_EQ(order__counts(o).late, late);
	order__flush(o);
	TEST_EQ(s.recs.nr, 2001);
	expect_ascending(&s, 1 + late, s.recs.nr);
	done(o, &s);
}

TEST(order_gap, "order: where nothing happens for an hour, time goes on behind it")
{
	struct seen s;
	struct order *o = new_rounds(&s, NULL);

	for (u64 i = 0; i < 100; i++) {
		push(o, UPTIME + i * 3600 * SECOND, i);
		order__round(o);
	}
	TEST_EQ(order__counts(o).late + order__counts(o).odd, 0);
	TEST_TRUE(order__counts(o).max_held < 8);
	for (u64 i = 0; i < 20; i++)
		push_round(o, UPTIME + 400000 * SECOND + i * SECOND / 10);
	TEST_TRUE(order__counts(o).max_held <= 400);
	TEST_EQ(order__counts(o).late + order__counts(o).odd, 0);
	order__flush(o);
	TEST_EQ(s.recs.nr, 2100);
	expect_ascending(&s, 0, s.recs.nr);
	done(o, &s);
}

TEST(order_gap_clock, "order: a gap is believed at once while the clock shows it")
{
	struct seen s;
	struct order *o = new_rounds(&s, fake_clock);

	for (u64 i = 0; i < 100; i++) {
		clock_ns = i * 3600 * SECOND;
		push(o, UPTIME + i * 3600 * SECOND, i);
		order__round(o);
		order__round(o);
		TEST_EQ(s.recs.nr, i + 1);
	}
	done(o, &s);
}

/* How many records are out two rounds after one came @ahead of the only one, @gone by the clock. */
static size_t out_after(u64 ahead, u64 gone, u64 (*now)(void))
{
	struct seen s;
	struct order *o = new_rounds(&s, now);
	size_t nr;

	clock_ns = 100 * SECOND;
	push(o, UPTIME, 0);
	order__round(o);
	order__round(o);
	order__round(o);
	clock_ns += gone;
	order__round(o); /* brings nothing, so the time since goes on */
	push(o, UPTIME + ahead, 0);
	order__round(o);
	order__round(o);
	nr = s.recs.nr;
	done(o, &s);
	return nr;
}

TEST(order_doubt_bounds, "order: a second beyond, or beyond what the clock shows, is no gap")
{
	TEST_EQ(out_after(SECOND, 0, NULL), 2);
	TEST_EQ(out_after(SECOND + 1, 0, NULL), 1);
	TEST_EQ(out_after(SECOND, 0, fake_clock), 2);
	TEST_EQ(out_after(SECOND + 1, 0, fake_clock), 1);
	TEST_EQ(out_after(8 * SECOND, 7 * SECOND, fake_clock), 2);
	TEST_EQ(out_after(8 * SECOND + 1, 7 * SECOND, fake_clock), 1);
}

TEST(order_gap_rounds, "order: without a clock, a gap is believed after two rounds of nothing else")
{
	struct seen s;
	struct order *o = new_rounds(&s, NULL);

	push_round(o, UPTIME);
	push_round(o, UPTIME + SECOND / 10);
	push(o, UPTIME + 3600 * SECOND, 0);
	push(o, UPTIME + 3601 * SECOND, 0); /* a second beyond what is believed is not far */
	push(o, UPTIME + 3700 * SECOND, 0); /* came later, so it is no less true */
	order__round(o);
	order__round(o);
	TEST_EQ(s.recs.nr, 200);
	order__round(o);
	TEST_EQ(s.recs.nr, 203);
	expect_ascending(&s, 0, 203);
	done(o, &s);
}

TEST(order_gap_odd, "order: what is beyond a gap, and came before it ended, is still doubted")
{
	struct seen s;
	struct order *o = new_rounds(&s, NULL);
	const u64 later = UPTIME + 3600 * SECOND;

	push_round(o, UPTIME);
	push(o, FUTURE, 7);
	push(o, later + SECOND, 0); /* came first, too, but is not far */
	push(o, later, 0);
	for (u32 i = 0; i < 3; i++)
		order__round(o);
	TEST_EQ(s.recs.nr, 102);
	for (u32 i = 10; i < 20; i++)
		push_round(o, later + i * SECOND / 10);
	TEST_EQ(order__counts(o).late, 0);
	TEST_EQ(order__counts(o).odd, 1);
	done(o, &s);
}

TEST(order_gap_after, "order: after a gap that the clock did not show, it counts from there")
{
	struct seen s;
	struct order *o = new_rounds(&s, fake_clock);

	clock_ns = 0;
	push_round(o, UPTIME);
	push(o, UPTIME + 3600 * SECOND, 0);
	order__round(o);
	clock_ns = 50 * SECOND;
	order__round(o); /* believed now */
	push(o, UPTIME + 3610 * SECOND, 0);
	order__round(o);
	TEST_EQ(s.recs.nr, 101);
	order__round(o);
	TEST_EQ(s.recs.nr, 101); /* the last one is doubted until now */
	order__round(o);
	TEST_EQ(s.recs.nr, 102);
	done(o, &s);
}

TEST(order_doubt_ends, "order: a doubted time that the others come near to is right")
{
	struct seen s;
	struct order *o = new_rounds(&s, NULL);

	push_round(o, UPTIME);
	push(o, UPTIME + 12 * SECOND / 10, 7);
	push_round(o, UPTIME + SECOND / 10);
	push_round(o, UPTIME + 2 * SECOND / 10);
	push(o, NO_TIME, 8);
	for (u32 i = 3; i < 20; i++)
		push_round(o, UPTIME + i * SECOND / 10);
	order__flush(o);
	TEST_EQ(order__counts(o).late + order__counts(o).odd, 0);
	TEST_EQ(s.recs.nr, 2002);
	TEST_EQ(s.recs.v[300].offset, 8); /* it goes with its neighbours */
	s.recs.v[300].time = s.recs.v[299].time;
	expect_ascending(&s, 0, 2002);
	done(o, &s);
}

TEST(order_odd_places, "order: odd records leave after three rounds, in order, behind others")
{
	struct seen s;
	struct order *o = new_rounds(&s, NULL);
	size_t at = 0;

	push_round(o, UPTIME);
	for (u64 i = 0; i < 3; i++)
		push(o, FUTURE - i * SECOND, 3 - i);
	for (u32 i = 1; i <= 3; i++) {
		TEST_EQ(order__counts(o).odd, 0);
		push_round(o, UPTIME + i * SECOND / 10);
	}
	TEST_EQ(order__counts(o).odd, 3);
	push_round(o, UPTIME + 4 * SECOND / 10);
	order__flush(o);
	while (!s.recs.v[at].offset)
		at++;
	TEST_EQ(at, 400);
	for (u64 i = 0; i < 3; i++) {
		TEST_EQ(s.recs.v[at + i].offset, i + 1);
		TEST_EQ(s.recs.v[at + i].time, s.recs.v[at - 1].time);
	}
	done(o, &s);
}

/* How many of three records are late that come @behind what has left, a round each. */
static u64 late_of_three(u64 behind, bool others_between)
{
	struct seen s;
	struct order *o = new_rounds(&s, NULL);
	u64 late;

	push(o, UPTIME, 0);
	order__round(o);
	order__round(o);
	for (u32 i = 0; i < 3; i++) {
		push(o, UPTIME - behind, 0);
		order__round(o);
		if (others_between) {
			push(o, UPTIME, 0);
			order__round(o);
		}
	}
	late = order__counts(o).late;
	done(o, &s);
	return late;
}

TEST(order_set_back_bounds, "order: it takes two rounds with nothing but times that are far late")
{
	TEST_EQ(late_of_three(SECOND + 1, false), 2);
	TEST_EQ(late_of_three(SECOND, false), 3);
	TEST_EQ(late_of_three(1, false), 3);
	TEST_EQ(late_of_three(SECOND + 1, true), 3);
	TEST_EQ(late_of_three(UPTIME, false), 2);
}

TEST(order_set_back_again, "order: a clock is believed to be where it is, not where one stray was")
{
	struct seen s;
	struct order *o = new_rounds(&s, fake_clock);
	const u64 back = UPTIME - 3600 * SECOND;

	clock_ns = 0;
	for (u32 i = 0; i < 10; i++) {
		if (i == 5)
			push(o, UPTIME - 10 * SECOND, 0);
		push_round(o, UPTIME + i * SECOND / 10);
	}
	TEST_EQ(order__counts(o).late, 1);
	push_round(o, back);
	clock_ns = 50 * SECOND;
	for (u32 i = 1; i < 10; i++)
		push_round(o, back + i * SECOND / 10);
	TEST_EQ(order__counts(o).late, 201);
	push(o, back + 30 * SECOND, 0); /* the clock has shown that already */
	for (u32 i = 10; i < 14; i++)
		push_round(o, back + i * SECOND / 10);
	TEST_EQ(order__counts(o).odd, 1);
	TEST_EQ(order__counts(o).late, 201);
	done(o, &s);
}

TEST(order_set_back, "order: after a clock was set back, records are in order again")
{
	struct seen s;
	struct order *o = new_rounds(&s, NULL);

	for (u32 i = 0; i < 40; i++)
		push_round(o, UPTIME + i * SECOND / 10 - i / 20 * 3600 * SECOND);
	TEST_TRUE(order__counts(o).late <= 200);
	order__flush(o);
	TEST_EQ(s.recs.nr, 4000);
	expect_ascending(&s, 0, 1800);
	expect_ascending(&s, 2200, 4000);
	done(o, &s);
}

TEST(order_hurry, "order: without room to wait, what is doubted leaves, and is not believed")
{
	struct seen s;
	struct order *o = new_rounds(&s, NULL);

	push_round(o, UPTIME);
	push(o, FUTURE, 0);
	order__expire_doubted(o);
	order__round(o);
	order__round(o);
	TEST_EQ(order__counts(o).held, 0);
	for (u32 i = 1; i < 5; i++)
		push_round(o, UPTIME + i * SECOND / 10);
	TEST_EQ(order__counts(o).late, 0);
	done(o, &s);
}

TEST(order_hurry_near, "order: without room, what others have come near to does not wait for them")
{
	struct seen s;
	struct order *o = new_rounds(&s, NULL);

	push_round(o, UPTIME);
	push(o, UPTIME + 12 * SECOND / 10, 0);
	push(o, UPTIME + 3 * SECOND / 10, 0);
	push(o, UPTIME + 2 * SECOND / 10, 0);
	order__expire_doubted(o);
	order__round(o);
	order__round(o);
	TEST_EQ(order__counts(o).held, 0);
	TEST_EQ(order__counts(o).odd, 0);
	done(o, &s);
}

TEST(order_hurry_first, "order: without room, the smallest of the first times is believed")
{
	struct seen s;
	struct order *o = new_rounds(&s, NULL);

	push(o, UPTIME, 0);
	push(o, FUTURE, 0);
	order__expire_doubted(o);
	TEST_EQ(order__counts(o).odd, 1);
	order__round(o);
	order__round(o);
	TEST_EQ(order__counts(o).held, 0);
	for (u32 i = 1; i < 5; i++)
		push_round(o, UPTIME + i * SECOND / 10);
	TEST_EQ(order__counts(o).late, 0);
	done(o, &s);
}

TEST(order_future_file, "order: a time from the future does not take along what has none")
{
	struct seen s;
	struct order *o = new_order(&s);
	static const u64 want[] = { 0, 2, 3, 4, 1 };

	push(o, UPTIME, 0);
	push(o, FUTURE, 1);
	push(o, UPTIME + 5, 2);
	push(o, NO_TIME, 3);
	push(o, UPTIME + 6, 4);
	order__flush(o);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		TEST_EQ(s.recs.v[i].offset, want[i]);
	done(o, &s);
}

/* Behind which of three does a record without a time stay? */
static u64 stays_behind(u64 a, u64 b, u64 c)
{
	struct seen s;
	struct order *o = new_order(&s);
	size_t i = 0;

	push(o, a, 0);
	push(o, b, 1);
	push(o, c, 2);
	push(o, NO_TIME, 3);
	order__flush(o);
	while (s.recs.v[i].offset != 3)
		i++;
	a = s.recs.v[i - 1].offset;
	done(o, &s);
	return a;
}

TEST(order_future_file_bounds, "order: a time is from the future if over a second is taken back")
{
	TEST_EQ(stays_behind(UPTIME, UPTIME + 3 * SECOND, UPTIME + SECOND), 2);
	TEST_EQ(stays_behind(UPTIME, UPTIME + 3 * SECOND, UPTIME + 2 * SECOND), 1);
	TEST_EQ(stays_behind(UPTIME, UPTIME + SECOND, UPTIME - SECOND), 1);
	TEST_EQ(stays_behind(UPTIME, UPTIME + SECOND + 1, UPTIME), 2);
	TEST_EQ(stays_behind(UPTIME, FUTURE, UPTIME - 1), 0);
}

TEST(order_error, "order: an error of the sink ends the run; nothing leaves twice or leaks")
{
	struct seen s;
	struct order *o = new_order(&s);

	s.fail_at = 2;
	for (u64 i = 0; i < 10; i++)
		push(o, 100 - i, i);
	TEST_EQ(order__flush(o), -EIO);
	TEST_EQ(s.recs.nr, 3);
	TEST_EQ(order__counts(o).held, 7);
	order__free(o);
	TEST_EQ(s.recs.nr, 3);
	TEST_EQ(s.released, 10);
	vec__free(&s.recs);
}

/*
 * Streams of 1 to 40 buffers, each nearly sorted, read in turns, against exact horizons: the
 * result is sorted, complete, never late, and holds little more than the disorder asks for.
 */
static void shuffled(u64 seed, size_t nr)
{
	u64 state = seed, clock[40];
	u32 nr_buffers = 1 + hash_mix(seed) % 40;
	struct horizon *h = horizon__new();
	struct seen s;
	struct order *o = new_order(&s);
	VEC(u64) times = {};
	u64 horizon;

	for (u32 i = 0; i < nr_buffers; i++)
		clock[i] = 1000;
	while (times.nr < nr) {
		u64 r = hash_mix(++state);
		u32 buffer = r % nr_buffers;

		for (u32 burst = (r >> 8) % 64; burst && times.nr < nr; burst--) {
			u64 step = hash_mix(++state);

			clock[buffer] += step % 50;
			*vec__push(&times) = step % 97 == 0 ? clock[buffer] - 300 : clock[buffer];
		}
	}
	for (size_t i = 0; i < nr; i++)
		horizon__note(h, times.v[i]);
	horizon__seal(h);
	for (size_t i = 0; i < nr; i++) {
		push(o, times.v[i], i);
		if (horizon__at(h, i + 1, &horizon))
			TEST_EQ(order__advance(o, horizon), 0);
	}
	TEST_EQ(order__flush(o), 0);
	expect_sorted(&s, nr);
	TEST_EQ(order__counts(o).late, 0);
	order__free(o);
	horizon__free(h);
	vec__free(&times);
	vec__free(&s.recs);
}

TEST(order_shuffled, "order: shuffled streams of many buffers come out sorted and complete")
{
	for (u64 seed = 1; seed <= 60; seed++)
		shuffled(seed, 1 + hash_mix(seed) % 20000);
}

TEST(order_random, "order: fully random times, live rounds: sorted but for what is late")
{
	struct seen s;
	struct order *o = new_order(&s);
	u64 late = 0;

	for (u64 i = 0; i < 50000; i++) {
		push(o, hash_mix(i) % 1000000, i);
		if (i % 1000 == 999)
			order__round(o);
	}
	order__flush(o);
	TEST_EQ(s.recs.nr, 50000);
	for (size_t i = 1; i < s.recs.nr; i++)
		late += s.recs.v[i].time < s.recs.v[i - 1].time;
	TEST_TRUE(order__counts(o).late >= late);
	TEST_TRUE(late > 0);
	order__free(o);
	vec__free(&s.recs);
}

TEST_LIMIT(order_reversed, "order: a backward buffer costs n log n, not n squared", 20)
{
	struct seen s;
	struct order *o = new_order(&s);
	const u64 nr = 1000000 / test__share(4);

	for (u64 i = 0; i < nr; i++)
		push(o, nr - i, i);
	order__flush(o);
	expect_sorted(&s, nr);
	order__free(o);
	vec__free(&s.recs);
}

TEST(horizon_exact, "horizon: no time behind a chunk is below its horizon, and one is equal")
{
	struct horizon *h = horizon__new();
	const u64 nr = 50001;
	u64 horizon, asked = 0;

	for (u64 i = 0; i < nr; i++)
		horizon__note(h, i % 7 ? 1000 + i + hash_mix(i) % 5000 : NO_TIME);
	horizon__seal(h);
	for (u64 i = 1; i <= nr; i++) {
		u64 smallest = NO_TIME;

		if (!horizon__at(h, i, &horizon))
			continue;
		asked++;
		for (u64 k = i; k < nr; k++)
			if (k % 7)
				smallest = min_of(smallest, 1000 + k + hash_mix(k) % 5000);
		TEST_EQ(horizon, smallest);
	}
	TEST_TRUE(asked > 5);
	TEST_TRUE(!horizon__at(h, nr + 100000, &horizon));
	horizon__free(h);
}
