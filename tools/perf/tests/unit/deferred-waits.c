// SPDX-License-Identifier: GPL-2.0-only
/* What a stream says of threads that wait, and what becomes of an answer that is no record. */
#include "../lib/waits.h"
#include "../test.h"

/* Of the visits. */
struct seen {
	struct waits w;
	struct deferred_wait wait; /* the last one */
	u32 nr;
};

static void visit(void *ctx, const struct deferred_wait *wait)
{
	struct seen *s = ctx;

	s->wait = *wait;
	s->nr++;
}

static u32 visit_all(struct seen *s)
{
	s->nr = 0;
	deferred_stream__each_wait(s->w.s, visit, s);
	return s->nr;
}

static void expect(struct seen *s, enum deferred_result result, u64 first)
{
	static const u64 ips[] = { 0x2000, 0x2001 };

	TEST_EQ(deferred_stream__answer(s->w.s, &s->wait, ips, 2), 0);
	TEST_EQ(deferred_stream__finish(s->w.s), 0);
	TEST_EQ(s->w.result, result);
	TEST_EQ(s->w.first, first);
	deferred_stream__free(s->w.s);
}

TEST(deferred_waits, "callchain-deferred: a thread asleep at the end is visited and answered")
{
	struct seen s;

	waits__begin(&s.w);
	waits__sample(&s.w, 7, 10, COOKIE);
	waits__sample(&s.w, 7, 20, COOKIE);
	TEST_EQ(visit_all(&s), 1);
	TEST_EQ(s.wait.pid, 7);
	TEST_EQ(s.wait.tid, 7);
	TEST_EQ(s.wait.cookie, COOKIE);
	/* A sample of the same stay in the kernel, taken later, has the same stack. */
	waits__sample(&s.w, 7, 30, COOKIE);
	expect(&s, DEFERRED_ASLEEP, 0x2000);
}

TEST(deferred_waits_record, "callchain-deferred: a record that comes after all is what counts")
{
	struct seen s;

	waits__begin(&s.w);
	waits__sample(&s.w, 7, 10, COOKIE);
	TEST_EQ(visit_all(&s), 1);
	waits__record(&s.w, 7, 20, COOKIE);
	expect(&s, DEFERRED_MATCHED, 0x1000);

	/* It has returned, and is in the kernel again: that is another stack. */
	waits__begin(&s.w);
	waits__sample(&s.w, 7, 10, COOKIE);
	TEST_EQ(visit_all(&s), 1);
	waits__sample(&s.w, 7, 20, COOKIE + 1);
	expect(&s, DEFERRED_IN_KERNEL, 0);
}

TEST(deferred_waits_again, "callchain-deferred: only the last stay in the kernel is visited")
{
	struct seen s;

	waits__begin(&s.w);
	waits__sample(&s.w, 7, 10, COOKIE);
	waits__sample(&s.w, 7, 20, COOKIE + 1);
	TEST_EQ(visit_all(&s), 1);
	TEST_EQ(s.wait.cookie, COOKIE + 1);
	expect(&s, DEFERRED_ASLEEP, 0x2000);
}

TEST(deferred_waits_doubt, "callchain-deferred: after a loss or an exec nobody asleep is believed")
{
	struct seen s;

	waits__begin(&s.w);
	waits__sample(&s.w, 7, 10, COOKIE);
	waits__lost(&s.w, 20);
	TEST_EQ(visit_all(&s), 0);
	s.wait = (struct deferred_wait){ 7, 7, COOKIE };
	expect(&s, DEFERRED_IN_KERNEL, 0);

	waits__begin(&s.w);
	waits__sample(&s.w, 7, 10, COOKIE);
	TEST_EQ(visit_all(&s), 1);
	waits__lost(&s.w, 20);
	expect(&s, DEFERRED_IN_KERNEL, 0);

	/* Lost before its sample. */
	waits__begin(&s.w);
	waits__lost(&s.w, 5);
	waits__sample(&s.w, 7, 10, COOKIE);
	TEST_EQ(visit_all(&s), 1);
	expect(&s, DEFERRED_ASLEEP, 0x2000);

	waits__begin(&s.w);
	waits__sample(&s.w, 7, 10, COOKIE);
	TEST_EQ(visit_all(&s), 1);
	waits__exec(&s.w, 20);
	TEST_EQ(visit_all(&s), 0);
	expect(&s, DEFERRED_EXEC, 0);
}

TEST(deferred_waits_other, "callchain-deferred: an answer for another thread or process is ignored")
{
	struct seen s;

	waits__begin(&s.w);
	waits__sample(&s.w, 7, 10, COOKIE);
	s.wait = (struct deferred_wait){ 7, 8, COOKIE };
	expect(&s, DEFERRED_IN_KERNEL, 0);
	waits__begin(&s.w);
	waits__sample(&s.w, 7, 10, COOKIE);
	s.wait = (struct deferred_wait){ 8, 7, COOKIE };
	expect(&s, DEFERRED_IN_KERNEL, 0);
	waits__begin(&s.w);
	waits__sample(&s.w, 7, 10, COOKIE);
	s.wait = (struct deferred_wait){ 7, 7, COOKIE + 1 };
	expect(&s, DEFERRED_IN_KERNEL, 0);
}
