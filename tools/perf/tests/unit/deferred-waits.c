// SPDX-License-Identifier: GPL-2.0-only
/* What a stream says of threads that wait, and what becomes of an answer that is no record. */
#include "../../util/callchain-deferred/stream.h"
#include "../test.h"

#define COOKIE 0x700000001ULL

struct waits {
	struct deferred_stream *s;
	struct deferred_wait wait; /* the last one that was visited */
	u32 nr;                    /* how many there were */
	enum deferred_result result; /* of the last sample */
	u64 first;                 /* of its user part */
	u64 samples[8][6];
	u32 nr_samples;
};

static int on_answer(void *ctx, const struct record *rec, const struct deferred_answer *answer)
{
	struct waits *w = ctx;

	if (rec->hdr->type != PERF_RECORD_SAMPLE)
		return 0;
	w->result = answer->result;
	w->first = deferred_result__is_match(answer->result) ? answer->user.ips[0] : 0;
	return 0;
}

static void hold(void *ctx __unused_arg, struct record *rec __unused_arg)
{
}

static void release(void *ctx __unused_arg, const struct record *rec __unused_arg)
{
}

static void begin(struct waits *w)
{
	const struct deferred_stream_ops ops = { on_answer, hold, release, w };

	memset(w, 0, sizeof(*w));
	w->s = deferred_stream__new(&ops, 1 << 20);
}

static void push(struct waits *w, u32 type, u32 tid, u64 time, u64 *words, u32 nr)
{
	static struct evsel event;
	struct perf_event_header hdr = { type, PERF_RECORD_MISC_COMM_EXEC, nr * sizeof(u64) };
	struct record rec = { .event = &event, .time = time, .pid = 7, .tid = tid, .cpu = NO_ID };

	event.attr.size = sizeof(event.attr);
	event.attr.sample_type = PERF_SAMPLE_CALLCHAIN;
	event.layout.sample_size = sizeof(hdr);
	attr__set_bit(&event.attr, ATTR_BIT_DEFER_CALLCHAIN, true);
	memcpy(words, &hdr, sizeof(hdr));
	rec.hdr = (const void *)words;
	deferred_stream__observe(w->s, &rec);
	TEST_EQ(deferred_stream__push(w->s, &rec), 0);
}

static void push_sample(struct waits *w, u32 tid, u64 time, u64 cookie)
{
	u64 *v = w->samples[w->nr_samples++];

	memcpy(v, (u64[]){ 0, 4, ABI_CONTEXT_KERNEL, 0xffffffff81000000, ABI_CONTEXT_USER_DEFERRED,
			   cookie }, sizeof(w->samples[0]));
	push(w, PERF_RECORD_SAMPLE, tid, time, v, 6);
}

static void push_record(struct waits *w, u32 tid, u64 time, u64 cookie)
{
	static u64 v[4];

	memcpy(v, (u64[]){ 0, cookie, 1, 0x1000 }, sizeof(v));
	push(w, ABI_RECORD_CALLCHAIN_DEFERRED, tid, time, v, 4);
}

/* A LOST record, or an exec of process 7. */
static void push_lost(struct waits *w, u64 time)
{
	static u64 v[3];

	push(w, PERF_RECORD_LOST, 99, time, v, 3);
}

static void push_exec(struct waits *w, u64 time)
{
	static u64 v[3];

	memcpy(v, (u64[]){ 0, 7 | 7ULL << 32, 'x' }, sizeof(v));
	push(w, PERF_RECORD_COMM, 7, time, v, 3);
}

static void visit(void *ctx, const struct deferred_wait *wait)
{
	struct waits *w = ctx;

	w->wait = *wait;
	w->nr++;
}

static u32 visit_all(struct waits *w)
{
	w->nr = 0;
	deferred_stream__each_wait(w->s, visit, w);
	return w->nr;
}

static void expect(struct waits *w, enum deferred_result result, u64 first)
{
	static const u64 ips[] = { 0x2000, 0x2001 };

	TEST_EQ(deferred_stream__answer(w->s, &w->wait, ips, 2), 0);
	TEST_EQ(deferred_stream__finish(w->s), 0);
	TEST_EQ(w->result, result);
	TEST_EQ(w->first, first);
	deferred_stream__free(w->s);
}

TEST(deferred_waits, "callchain-deferred: a thread asleep at the end is visited and answered")
{
	struct waits w;

	begin(&w);
	push_sample(&w, 7, 10, COOKIE);
	push_sample(&w, 7, 20, COOKIE);
	TEST_EQ(visit_all(&w), 1);
	TEST_EQ(w.wait.pid, 7);
	TEST_EQ(w.wait.tid, 7);
	TEST_EQ(w.wait.cookie, COOKIE);
	/* A sample of the same stay in the kernel, taken later, has the same stack. */
	push_sample(&w, 7, 30, COOKIE);
	expect(&w, DEFERRED_ASLEEP, 0x2000);
}

TEST(deferred_waits_record, "callchain-deferred: a record that comes after all is what counts")
{
	struct waits w;

	begin(&w);
	push_sample(&w, 7, 10, COOKIE);
	TEST_EQ(visit_all(&w), 1);
	push_record(&w, 7, 20, COOKIE);
	expect(&w, DEFERRED_MATCHED, 0x1000);

	/* It has returned, and is in the kernel again: that is another stack. */
	begin(&w);
	push_sample(&w, 7, 10, COOKIE);
	TEST_EQ(visit_all(&w), 1);
	push_sample(&w, 7, 20, COOKIE + 1);
	expect(&w, DEFERRED_IN_KERNEL, 0);
}

TEST(deferred_waits_again, "callchain-deferred: only the last stay in the kernel is visited")
{
	struct waits w;

	begin(&w);
	push_sample(&w, 7, 10, COOKIE);
	push_sample(&w, 7, 20, COOKIE + 1);
	TEST_EQ(visit_all(&w), 1);
	TEST_EQ(w.wait.cookie, COOKIE + 1);
	expect(&w, DEFERRED_ASLEEP, 0x2000);
}

TEST(deferred_waits_doubt, "callchain-deferred: after a loss or an exec nobody asleep is believed")
{
	struct waits w;

	begin(&w);
	push_sample(&w, 7, 10, COOKIE);
	push_lost(&w, 20);
	TEST_EQ(visit_all(&w), 0);
	w.wait = (struct deferred_wait){ 7, 7, COOKIE };
	expect(&w, DEFERRED_IN_KERNEL, 0);

	begin(&w);
	push_sample(&w, 7, 10, COOKIE);
	TEST_EQ(visit_all(&w), 1);
	push_lost(&w, 20);
	expect(&w, DEFERRED_IN_KERNEL, 0);

	/* Lost before its sample. */
	begin(&w);
	push_lost(&w, 5);
	push_sample(&w, 7, 10, COOKIE);
	TEST_EQ(visit_all(&w), 1);
	expect(&w, DEFERRED_ASLEEP, 0x2000);

	begin(&w);
	push_sample(&w, 7, 10, COOKIE);
	TEST_EQ(visit_all(&w), 1);
	push_exec(&w, 20);
	TEST_EQ(visit_all(&w), 0);
	expect(&w, DEFERRED_EXEC, 0);
}

TEST(deferred_waits_other, "callchain-deferred: an answer for another thread or process is ignored")
{
	struct waits w;

	begin(&w);
	push_sample(&w, 7, 10, COOKIE);
	w.wait = (struct deferred_wait){ 7, 8, COOKIE };
	expect(&w, DEFERRED_IN_KERNEL, 0);
	begin(&w);
	push_sample(&w, 7, 10, COOKIE);
	w.wait = (struct deferred_wait){ 8, 7, COOKIE };
	expect(&w, DEFERRED_IN_KERNEL, 0);
	begin(&w);
	push_sample(&w, 7, 10, COOKIE);
	w.wait = (struct deferred_wait){ 7, 7, COOKIE + 1 };
	expect(&w, DEFERRED_IN_KERNEL, 0);
}
