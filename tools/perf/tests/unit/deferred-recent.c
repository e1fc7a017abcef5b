// SPDX-License-Identifier: GPL-2.0-only
/* What a stream remembers of records that came before their samples: a ring of a fixed size. */
#include "../../util/callchain-deferred/stream.h"
#include "../test.h"

#define RING_WORDS ((8U << 20) / sizeof(u64))
#define PIECE 4096

struct heard {
	enum deferred_result result; /* of the last sample */
	u64 nr, first, last;         /* of its user part */
};

static int on_answer(void *ctx, const struct record *rec, const struct deferred_answer *answer)
{
	struct heard *h = ctx;

	if (rec->hdr->type != PERF_RECORD_SAMPLE)
		return 0;
	*h = (struct heard){ .result = answer->result, .nr = answer->user.nr };
	if (deferred_result__is_match(answer->result)) {
		h->first = answer->user.ips[0];
		h->last = answer->user.ips[answer->user.nr - 1];
	}
	return 0;
}

static void hold(void *ctx __unused_arg, struct record *rec __unused_arg)
{
}

static void release(void *ctx __unused_arg, const struct record *rec __unused_arg)
{
}

static void push(struct deferred_stream *s, const struct evsel *event, u32 tid, const u64 *rec)
{
	TEST_EQ(deferred_stream__push(s, &(struct record){
		.hdr = (const void *)rec, .event = event, .time = NO_TIME, .pid = 1, .tid = tid,
		.cpu = NO_ID }), 0);
}

static void put_header(u64 *rec, u32 type, size_t size)
{
	struct perf_event_header hdr = { type, type == PERF_RECORD_SAMPLE ? 1 : 2, size };

	memcpy(rec, &hdr, sizeof(hdr));
}

/* The record of @tid, with @nr addresses, of which each tells whose it is. */
static void push_record(struct deferred_stream *s, u32 tid, u32 nr)
{
	static u64 rec[3 + PIECE];

	put_header(rec, ABI_RECORD_CALLCHAIN_DEFERRED, (3 + nr) * sizeof(u64));
	rec[1] = tid; /* the cookie */
	rec[2] = nr;
	for (u32 i = 0; i < nr; i++)
		rec[3 + i] = (u64)tid << 32 | i;
	push(s, NULL, tid, rec);
}

static void push_sample(struct deferred_stream *s, u32 tid)
{
	static struct evsel event;
	static u64 rec[6]; /* it may wait */
	const u64 chain[] = {
		ABI_CONTEXT_KERNEL, 0xffffffff81000000, ABI_CONTEXT_USER_DEFERRED, tid,
	};

	rec[1] = ARRAY_SIZE(chain);
	event.attr.size = sizeof(event.attr);
	event.attr.sample_type = PERF_SAMPLE_CALLCHAIN;
	event.layout.sample_size = sizeof(struct perf_event_header);
	attr__set_bit(&event.attr, ATTR_BIT_DEFER_CALLCHAIN, true);
	put_header(rec, PERF_RECORD_SAMPLE, sizeof(rec));
	memcpy(rec + 2, chain, sizeof(chain));
	push(s, &event, tid, rec);
}

static void expect_late(const struct heard *h, u32 tid, u32 nr)
{
	TEST_EQ(h->result, DEFERRED_LATE);
	TEST_EQ(h->nr, nr);
	TEST_EQ(h->first, (u64)tid << 32);
	TEST_EQ(h->last, (u64)tid << 32 | (nr - 1));
}

TEST(deferred_recent_ring, "callchain-deferred: a stream remembers as much as its ring holds")
{
	struct heard h = {};
	struct deferred_stream_ops ops = { on_answer, hold, release, &h };
	struct deferred_stream *s = deferred_stream__new(&ops, 1 << 20);
	u32 tid, last = RING_WORDS / PIECE + 1;

	/* To the last word. */
	push_record(s, 1, 2);
	for (tid = 2; tid < last; tid++)
		push_record(s, tid, PIECE);
	push_record(s, last, PIECE - 2);
	push_sample(s, 1);
	expect_late(&h, 1, 2);
	push_sample(s, last);
	expect_late(&h, last, PIECE - 2);
	/* The next record lies where the first one lay, and no more. */
	push_record(s, last + 1, 1);
	push_sample(s, 2);
	expect_late(&h, 2, PIECE);
	push_sample(s, last + 1);
	expect_late(&h, last + 1, 1);
	push_sample(s, 1);
	TEST_EQ(deferred_stream__finish(s), 0);
	TEST_EQ(h.result, DEFERRED_IN_KERNEL);
	deferred_stream__free(s);
}

TEST(deferred_recent_whole, "callchain-deferred: a record does not go round the end of the ring")
{
	struct heard h = {};
	struct deferred_stream_ops ops = { on_answer, hold, release, &h };
	struct deferred_stream *s = deferred_stream__new(&ops, 1 << 20);
	u32 tid, last = RING_WORDS / PIECE + 1;

	push_record(s, 1, 1);
	for (tid = 2; tid < last; tid++)
		push_record(s, tid, PIECE);
	push_record(s, last, PIECE - 2);
	push_record(s, last + 1, 2); /* there is one word left, which stays empty */
	push_sample(s, last + 1);
	expect_late(&h, last + 1, 2);
	push_sample(s, 3);
	expect_late(&h, 3, PIECE);
	push_sample(s, 2);
	TEST_EQ(deferred_stream__finish(s), 0);
	TEST_EQ(h.result, DEFERRED_IN_KERNEL);
	deferred_stream__free(s);
}

TEST(deferred_recent_twice, "callchain-deferred: a stream tells a record that comes again")
{
	struct heard h = {};
	struct deferred_stream_ops ops = { on_answer, hold, release, &h };
	struct deferred_stream *s = deferred_stream__new(&ops, 1 << 20);

	push_record(s, 1, 3);
	push_record(s, 1, 3);
	TEST_EQ(deferred_stream__stats(s).duplicates, 1);
	push_record(s, 1, 2);
	push_record(s, 2, 3);
	TEST_EQ(deferred_stream__stats(s).duplicates, 1);
	push_record(s, 3, 0);
	push_record(s, 3, 0);
	TEST_EQ(deferred_stream__stats(s).duplicates, 2);
	TEST_EQ(deferred_stream__stats(s).records, 6);
	TEST_EQ(deferred_stream__stats(s).unused, 4);
	for (int twice = 0; twice < 2; twice++) {
		push_sample(s, 1);
		expect_late(&h, 1, 2); /* the newest */
		TEST_EQ(deferred_stream__stats(s).unused, 3);
	}
	deferred_stream__free(s);
}
