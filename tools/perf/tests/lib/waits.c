// SPDX-License-Identifier: GPL-2.0-only
#include "waits.h"

#include <string.h>

#include "../test.h"

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

void waits__begin(struct waits *w)
{
	const struct deferred_stream_ops ops = { on_answer, hold, release, w };

	memset(w, 0, sizeof(*w));
	w->pid = 7;
	w->s = deferred_stream__new(&ops, 1 << 20);
}

static void push(struct waits *w, u32 type, u32 tid, u64 time, u64 *words, u32 nr)
{
	static struct evsel event;
	struct perf_event_header hdr = { type, PERF_RECORD_MISC_COMM_EXEC, nr * sizeof(u64) };
	struct record rec = {
		.event = &event, .time = time, .pid = w->pid, .tid = tid, .cpu = NO_ID,
	};

	event.attr.size = sizeof(event.attr);
	event.attr.sample_type = PERF_SAMPLE_CALLCHAIN;
	event.layout.sample_size = sizeof(hdr);
	attr__set_bit(&event.attr, ATTR_BIT_DEFER_CALLCHAIN, true);
	memcpy(words, &hdr, sizeof(hdr));
	rec.hdr = (const void *)words;
	deferred_stream__observe(w->s, &rec);
	TEST_EQ(deferred_stream__push(w->s, &rec), 0);
}

void waits__sample(struct waits *w, u32 tid, u64 time, u64 cookie)
{
	u64 *v = w->samples[w->nr_samples++];

	memcpy(v, (u64[]){ 0, 4, ABI_CONTEXT_KERNEL, 0xffffffff81000000, ABI_CONTEXT_USER_DEFERRED,
			   cookie }, sizeof(w->samples[0]));
	push(w, PERF_RECORD_SAMPLE, tid, time, v, 6);
}

void waits__record(struct waits *w, u32 tid, u64 time, u64 cookie)
{
	static u64 v[4];

	memcpy(v, (u64[]){ 0, cookie, 1, 0x1000 }, sizeof(v));
	push(w, ABI_RECORD_CALLCHAIN_DEFERRED, tid, time, v, 4);
}

void waits__lost(struct waits *w, u64 time)
{
	static u64 v[3];

	push(w, PERF_RECORD_LOST, 99, time, v, 3);
}

void waits__exec(struct waits *w, u64 time)
{
	static u64 v[3];

	memcpy(v, (u64[]){ 0, w->pid | (u64)w->pid << 32, 'x' }, sizeof(v));
	push(w, PERF_RECORD_COMM, w->pid, time, v, 3);
}
