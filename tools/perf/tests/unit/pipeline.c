// SPDX-License-Identifier: GPL-2.0-only
/* The whole pipeline: made-up recordings in, whole samples and an account out. */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#include "../../util/io/mapfile.h"
#include "../../util/pipeline/pipeline.h"
#include "../lib/builder.h"
#include "../lib/snapshot.h"
#include "../test.h"

#define COOKIE 0x300000001ULL
#define MAX_SEEN 256
#define COPY 32768

struct seen {
	struct whole_sample ws; /* pointers are not valid any more */
	u64 chain[64], nr_chain; /* in one piece */
	u64 time, period;
	u32 event;
};

struct taken {
	struct seen seen[MAX_SEEN];
	u32 nr, nr_records;
	int fail; /* what the sample callback returns */
};

static int on_sample(void *ctx, const struct whole_sample *ws)
{
	struct taken *sink = ctx;
	struct seen *s;

	TEST_TRUE(sink->nr < MAX_SEEN);
	s = &sink->seen[sink->nr++];
	s->ws = *ws;
	s->time = ws->s->time;
	s->period = ws->s->period;
	s->event = ws->rec->event->idx;
	TEST_TRUE(ws->nr_chain + 1 + ws->nr_user <= ARRAY_SIZE(s->chain));
	for (u64 i = 0; i < ws->nr_chain; i++)
		s->chain[s->nr_chain++] = ws->chain[i];
	if (ws->nr_user)
		s->chain[s->nr_chain++] = ABI_CONTEXT_USER;
	for (u64 i = 0; i < ws->nr_user; i++)
		s->chain[s->nr_chain++] = ws->user[i];
	return sink->fail;
}

static int on_record(void *ctx, const struct record *rec __unused_arg)
{
	((struct taken *)ctx)->nr_records++;
	return 0;
}

static struct pipeline_opts opts_of(struct taken *sink)
{
	memset(sink, 0, sizeof(*sink));
	return (struct pipeline_opts){
		.sink = { .sample = on_sample, .record = on_record, .ctx = sink },
	};
}

static struct pipeline_account run(struct builder *b, const struct pipeline_opts *opts, int expect)
{
	struct pipeline_account account;
	struct pipeline *p;
	struct reader *r;
	struct error err = {};

	mapfile__init();
	builder__save(b, "perf.data");
	TEST_EQ(reader__open(&r, "perf.data", false, &err), 0);
	TEST_EQ(pipeline__new(&p, reader__recording(r), opts, &err), 0);
	TEST_EQ(pipeline__run(p, r, &err), expect);
	account = *pipeline__account(p);
	pipeline__free(p);
	reader__close(r);
	builder__free(b);
	return account;
}

static void expect_chain(const struct seen *s, const u64 *chain, u64 nr)
{
	TEST_EQ(s->nr_chain, nr);
	for (u64 i = 0; i < nr; i++)
		TEST_EQ(s->chain[i], chain[i]);
}

#define EXPECT_CHAIN(s, ...) \
	expect_chain(s, (u64[]){ __VA_ARGS__ }, sizeof((u64[]){ __VA_ARGS__ }) / sizeof(u64))

static struct builder *deferred_builder(u32 *ev)
{
	struct builder *b = builder__new();
	struct perf_event_attr attr = BUILDER_ATTR;

	attr__set_bit(&attr, ATTR_BIT_DEFER_CALLCHAIN, true);
	attr__set_bit(&attr, ATTR_BIT_DEFER_OUTPUT, true);
	*ev = builder__event(b, &attr, "cpu-clock", (u64[]){ 11 }, 1);
	return b;
}

static void add_sample(struct builder *b, u32 ev, u64 time, u8 cpumode, u64 ip, const u64 *chain,
		       u64 nr)
{
	builder__at(b, 100, 100, 0, time);
	builder__sample(b, ev, &(struct sample){ .misc = cpumode, .ip = ip, .chain = chain,
						 .nr_chain = nr });
}

TEST(pipeline_deferred, "pipeline: deferred chains are joined, and a cookie never shows")
{
	u64 kernel[] = { ABI_CONTEXT_KERNEL, -4096ULL * 4096, ABI_CONTEXT_USER_DEFERRED, COOKIE };
	u64 user[] = { ABI_CONTEXT_USER_DEFERRED, COOKIE + 2 };
	u64 gone[] = { ABI_CONTEXT_KERNEL, -4096ULL * 4096, ABI_CONTEXT_USER_DEFERRED, COOKIE + 4 };
	u64 leaf[] = { ABI_CONTEXT_USER_DEFERRED, COOKIE + 6 };
	u64 empty[] = { ABI_CONTEXT_USER_DEFERRED, COOKIE + 8 };
	u64 bare[] = { ABI_CONTEXT_KERNEL, -4096ULL * 4096, ABI_CONTEXT_USER_DEFERRED };
	u64 plain[] = { ABI_CONTEXT_USER, 0x5000, 0x5001 };
	u64 idle[] = { ABI_CONTEXT_KERNEL, -4096ULL * 4096 };
	struct pipeline_account a;
	struct pipeline_opts opts;
	struct taken sink;
	struct builder *b;
	u32 ev;

	for (int keep = 0; keep < 2; keep++) {
		b = deferred_builder(&ev);
		builder__at(b, 100, 100, 0, 30);
		builder__deferred(b, COOKIE + 2, (u64[]){ 0x2000, 0x2001, 0x2002 }, 3);
		add_sample(b, ev, 10, PERF_RECORD_MISC_KERNEL, -1, kernel, 4);
		builder__at(b, 100, 100, 1, 20);
		builder__deferred(b, COOKIE, (u64[]){ 0x1000, 0x1001 }, 2);
		add_sample(b, ev, 40, PERF_RECORD_MISC_USER, 0x2000, user, 2);
		add_sample(b, ev, 50, PERF_RECORD_MISC_KERNEL, -1, gone, 4);
		add_sample(b, ev, 60, PERF_RECORD_MISC_USER, 0x3000, leaf, 2);
		add_sample(b, ev, 70, PERF_RECORD_MISC_USER, 0x4000, empty, 2);
		builder__at(b, 100, 100, 0, 71);
		builder__deferred(b, COOKIE + 8, NULL, 0);
		add_sample(b, ev, 80, PERF_RECORD_MISC_KERNEL, -1, bare, 3);
		add_sample(b, ev, 90, PERF_RECORD_MISC_USER, 0x5000, plain, 3);
		add_sample(b, ev, 100, PERF_RECORD_MISC_KERNEL, -1, idle, 2);
		opts = opts_of(&sink);
		opts.keep_deferred = keep;
		a = run(b, &opts, 0);
		TEST_EQ(sink.nr, 8);
		for (u32 i = 1; i < sink.nr; i++)
			TEST_TRUE(sink.seen[i - 1].time < sink.seen[i].time);
		TEST_EQ(sink.nr_records, 3);
		TEST_EQ(a.user_part[USER_PART_RECORDED], 1);
		TEST_EQ(a.user_part[USER_PART_NONE], 1);
		if (keep) {
			expect_chain(&sink.seen[0], kernel, 4);
			TEST_EQ(sink.seen[0].ws.user_part, USER_PART_KEPT);
			TEST_EQ(a.user_part[USER_PART_KEPT], 6);
			continue;
		}
		EXPECT_CHAIN(&sink.seen[0], kernel[0], kernel[1], ABI_CONTEXT_USER, 0x1000, 0x1001);
		TEST_EQ(sink.seen[0].ws.user_part, USER_PART_DEFERRED);
		TEST_EQ(sink.seen[0].ws.nr_user, 2);
		EXPECT_CHAIN(&sink.seen[1], ABI_CONTEXT_USER, 0x2000, 0x2001, 0x2002);
		TEST_EQ(sink.seen[1].ws.deferred, DEFERRED_LATE);
		EXPECT_CHAIN(&sink.seen[2], gone[0], gone[1]);
		TEST_EQ(sink.seen[2].ws.user_part, USER_PART_MISSING);
		EXPECT_CHAIN(&sink.seen[3], ABI_CONTEXT_USER, 0x3000);
		EXPECT_CHAIN(&sink.seen[4], ABI_CONTEXT_USER, 0x4000);
		EXPECT_CHAIN(&sink.seen[5], bare[0], bare[1]);
		TEST_EQ(sink.seen[5].ws.deferred, DEFERRED_NO_COOKIE);
		expect_chain(&sink.seen[6], plain, 3);
		TEST_EQ(sink.seen[6].ws.nr_user, 0); /* what was recorded needs no second piece */
		expect_chain(&sink.seen[7], idle, 2);
		TEST_EQ(a.user_part[USER_PART_DEFERRED], 2);
		TEST_EQ(a.user_part[USER_PART_MISSING], 4);
		TEST_EQ(a.deferred_empty, 1);
		TEST_EQ(a.deferred_stats.records, 3);
	}
}

TEST(pipeline_sink_stops, "pipeline: what a sink returns ends the run")
{
	u64 plain[] = { ABI_CONTEXT_USER, 0x5000 };
	struct pipeline_opts opts;
	struct taken sink;
	struct builder *b;
	u32 ev;

	b = deferred_builder(&ev);
	for (int i = 0; i < 5; i++)
		add_sample(b, ev, 10 + i, PERF_RECORD_MISC_USER, 0x5000, plain, 2);
	opts = opts_of(&sink);
	sink.fail = 77;
	run(b, &opts, 77);
	TEST_EQ(sink.nr, 1);
}

/* Two calls are made in a pass of 10,000 records. */
static int stop_in_time(void *ctx, u64 done __unused_arg, u64 total __unused_arg)
{
	return --*(u32 *)ctx ? 0 : 78;
}

TEST(pipeline_progress_stops, "pipeline: what the progress returns ends the run in either pass")
{
	struct pipeline_opts opts = { .progress = stop_in_time };
	struct builder *b;
	u32 ev;

	for (u32 calls = 1, left; calls <= 3; calls += 2) {
		b = deferred_builder(&ev);
		for (int i = 0; i < 10000; i++)
			add_sample(b, ev, 10 + i, PERF_RECORD_MISC_USER, 0x5000, NULL, 0);
		left = calls;
		opts.progress_ctx = &left;
		run(b, &opts, 78);
		TEST_EQ(left, 0);
	}
}

static void count_release(void *ctx, struct record *rec __unused_arg)
{
	++*(u32 *)ctx;
}

TEST(pipeline_live, "pipeline: live, what is pushed leaves in order and is released")
{
	u64 plain[] = { ABI_CONTEXT_USER, 0x5000 };
	u64 marked[] = { ABI_CONTEXT_USER_DEFERRED, COOKIE };
	u64 times[] = { 30, 10, 20, 50, 40, 25 };
	struct pipeline_opts opts;
	struct error err = {};
	struct pipeline *p;
	struct taken sink;
	struct builder *b;
	u32 ev, released = 0;
	const u8 *data;
	size_t size;

	b = deferred_builder(&ev);
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		add_sample(b, ev, times[i], PERF_RECORD_MISC_USER, 0x5000, i ? plain : marked, 2);
	builder__at(b, 100, 100, 0, 60);
	builder__lost(b, 9);
	opts = opts_of(&sink);
	opts.symbols.binary.live = true;
	opts.keep_deferred = true;
	TEST_EQ(pipeline__new(&p, builder__recording(b), &opts, &err), 0);
	pipeline__on_release(p, count_release, &released);
	data = builder__data(b, &size);
	for (size_t at = 0, nr = 0; at < size; nr++) {
		struct record rec = { .hdr = (const void *)(data + at) };

		TEST_EQ(record__identify(&rec, builder__recording(b)), 0);
		TEST_EQ(pipeline__push(p, &rec), 0);
		if (nr == 2)
			TEST_EQ(pipeline__round(p), 0);
		at += rec.hdr->size;
	}
	TEST_EQ(pipeline__round(p), 0);
	TEST_EQ(pipeline__finish(p), 0);
	TEST_EQ(released, 7);
	TEST_EQ(sink.nr, 6);
	TEST_EQ(sink.nr_records, 1);
	for (u32 i = 1; i < sink.nr; i++)
		TEST_TRUE(sink.seen[i - 1].time < sink.seen[i].time);
	expect_chain(&sink.seen[3], marked, 2);
	TEST_EQ(pipeline__account(p)->user_part[USER_PART_KEPT], 1);
	TEST_EQ(pipeline__account(p)->lost, 9);
	pipeline__free(p);
	builder__free(b);
}

#ifdef __x86_64__

static __attribute__((noinline)) int descend(struct snapshot *s, int depth)
{
	volatile char room[100];

	room[0] = depth;
	return (depth ? descend(s, depth - 1) : snapshot__take(s)) + room[0];
}

static void *snapshot_main(void *s)
{
	descend(s, 12);
	return NULL;
}

/* A snapshot of a thread, so that environment and arguments do not fill the copy. */
static void snapshot_thread(struct snapshot *s)
{
	pthread_t t;

	pthread_create(&t, NULL, snapshot_main, s);
	pthread_join(t, NULL);
	s->stack.size = min_of(s->stack.size, (u64)COPY);
}

static u32 copy_event(struct builder *b)
{
	struct perf_event_attr attr = BUILDER_ATTR;

	attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr.sample_regs_user = SNAPSHOT_REGS;
	attr.sample_stack_user = COPY;
	attr.exclude_callchain_user = 1;
	return builder__event(b, &attr, "cpu-clock", (u64[]){ 11 }, 1);
}

static void add_self_maps(struct builder *b)
{
	struct self_map maps[64];
	int nr = self_map__read(maps, 64);

	for (int i = 0; i < nr; i++)
		builder__mmap2(b, &(struct mmap_record){
			.start = maps[i].m.start, .len = maps[i].m.end - maps[i].m.start,
			.pgoff = maps[i].m.pgoff, .prot = PROT_READ | PROT_EXEC,
			.flags = MAP_PRIVATE, .filename = maps[i].path,
		});
}

static void add_copy_at(struct builder *b, u32 ev, const struct snapshot *s, u64 abi,
			const u64 *chain, u64 nr, u16 misc, u64 ip)
{
	u64 regs[64], n = 0;

	for (int i = 0; i < 64; i++)
		if (SNAPSHOT_REGS >> i & 1)
			regs[n++] = s->regs.v[i];
	builder__sample(b, ev, &(struct sample){
		.misc = misc, .ip = ip, .chain = chain, .nr_chain = nr,
		.user_regs = { .abi = abi, .v = regs }, .stack_room = COPY, .stack = s->copy,
		.stack_size = s->stack.size,
	});
}

static void add_copy(struct builder *b, u32 ev, const struct snapshot *s, u64 abi, const u64 *chain,
		     u64 nr)
{
	add_copy_at(b, ev, s, abi, chain, nr, PERF_RECORD_MISC_KERNEL, -4096ULL);
}

/* Chain: @nr_kernel entries, the user marker, and what libgcc saw behind the leaf. */
static void expect_unwound(const struct seen *seen, const struct snapshot *s, u64 nr_kernel)
{
	TEST_EQ(seen->ws.user_part, USER_PART_UNWOUND);
	TEST_EQ(seen->ws.stop, UNWIND_OUTERMOST);
	TEST_EQ(seen->ws.nr_user, s->nr_expect);
	TEST_EQ(seen->nr_chain, nr_kernel + 1 + s->nr_expect);
	TEST_EQ(seen->chain[nr_kernel], ABI_CONTEXT_USER);
	TEST_EQ(seen->chain[nr_kernel + 1], s->regs.v[8]);
	for (u32 i = 1; i < s->nr_expect; i++)
		TEST_EQ(seen->chain[nr_kernel + 1 + i], s->expect[i]);
}

TEST(pipeline_copy, "pipeline: a stack copy becomes a chain behind the kernel's part")
{
	static struct snapshot s;
	u64 kernel[] = { ABI_CONTEXT_KERNEL, -4096ULL * 4096, -4096ULL * 4095 };
	u64 both[] = { ABI_CONTEXT_KERNEL, -4096ULL * 4096, ABI_CONTEXT_USER, 0x1234 };
	struct pipeline_account a;
	struct pipeline_opts opts;
	struct taken sink;
	struct builder *b;
	u64 whole;
	u32 ev;

	snapshot_thread(&s);
	whole = s.stack.size;
	b = builder__new();
	ev = copy_event(b);
	builder__at(b, 100, 100, 0, 10);
	add_self_maps(b);
	builder__at(b, 100, 100, 0, 20);
	add_copy(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, kernel, 3);
	add_copy(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, NULL, 0);
	add_copy(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, both, 4);
	add_copy(b, ev, &s, PERF_SAMPLE_REGS_ABI_32, kernel, 3);
	add_copy(b, ev, &s, PERF_SAMPLE_REGS_ABI_NONE, kernel, 3);
	s.stack.size = 800; /* what lies behind is in the record, but was not written */
	add_copy(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, kernel, 3);
	s.stack.size = 0;
	add_copy(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, kernel, 3);
	s.stack.size = whole;
	builder__at(b, 200, 200, 0, 30); /* a process without maps */
	add_copy(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, kernel, 3);
	opts = opts_of(&sink);
	a = run(b, &opts, 0);
	TEST_EQ(sink.nr, 8);
	expect_unwound(&sink.seen[0], &s, 3);
	expect_unwound(&sink.seen[1], &s, 0);
	expect_unwound(&sink.seen[2], &s, 2);
	TEST_EQ(sink.seen[3].ws.stop, UNWIND_COMPAT);
	EXPECT_CHAIN(&sink.seen[3], kernel[0], kernel[1], kernel[2], ABI_CONTEXT_USER, s.regs.v[8]);
	TEST_EQ(sink.seen[4].ws.user_part, USER_PART_NONE);
	expect_chain(&sink.seen[4], kernel, 3);
	TEST_EQ(sink.seen[5].ws.stop, UNWIND_STACK_ENDS);
	TEST_EQ(sink.seen[6].ws.stop, UNWIND_STACK_ENDS);
	TEST_EQ(sink.seen[6].ws.nr_user, 1);
	TEST_EQ(sink.seen[7].ws.stop, UNWIND_NO_MODULE);
	TEST_EQ(a.samples, 8);
	TEST_EQ(a.user_part[USER_PART_UNWOUND], 7);
	TEST_EQ(a.stop[UNWIND_OUTERMOST], 3);
	TEST_EQ(a.stop[UNWIND_COPY_SHORT], 0);
	TEST_EQ(a.stop[UNWIND_STACK_ENDS], 2);
	TEST_EQ(a.frames[UNWIND_BY_START], 7);
	TEST_TRUE(a.frames[UNWIND_BY_CFI] + a.frames[UNWIND_BY_EH_FRAME] >= 3 * (s.nr_expect - 1));
}

#define EXACT (PERF_RECORD_MISC_USER | ABI_MISC_EXACT_IP)

/* The leaf is @ip, and its callers are those of frame @of of the snapshot. */
static void expect_leaf(const struct seen *seen, const struct snapshot *s, u64 ip, u32 of)
{
	TEST_EQ(seen->nr_chain, 1 + s->nr_expect - of);
	TEST_EQ(seen->chain[0], ABI_CONTEXT_USER);
	TEST_EQ(seen->chain[1], ip);
	for (u32 i = of + 1; i < s->nr_expect; i++)
		TEST_EQ(seen->chain[1 + i - of], s->expect[i]);
}

static void expect_alone(const struct seen *seen, u64 ip)
{
	TEST_EQ(seen->ws.user_part, USER_PART_UNWOUND);
	TEST_EQ(seen->ws.stop, UNWIND_SKID);
	EXPECT_CHAIN(seen, ABI_CONTEXT_USER, ip);
}

/* Begins a recording of this program, whose mappings it has; samples follow at 20. */
static void begin_self(struct builder *b, struct snapshot *s)
{
	snapshot_thread(s);
	builder__at(b, 100, 100, 0, 10);
	add_self_maps(b);
	builder__at(b, 100, 100, 0, 20);
}

/* A copy in which the return address @ra is @other. */
static void replace_word(struct snapshot *s, u64 ra, u64 other)
{
	u64 at = 0;

	while (memcmp(s->copy + at, &ra, sizeof(ra)))
		at += 8;
	memcpy(s->copy + at, &other, sizeof(other));
}

TEST(pipeline_precise, "pipeline: the ip of a precise event never stands on another one's callers")
{
	static struct snapshot s;
	u64 kernel[] = { ABI_CONTEXT_KERNEL, -4096ULL * 4096, -4096ULL * 4095 }, pc, call, other;
	struct builder *b = builder__new();
	u32 ev = copy_event(b);
	struct pipeline_account a;
	struct pipeline_opts opts;
	struct taken sink;

	begin_self(b, &s);
	pc = s.regs.v[8];
	call = s.expect[1] - 5;
	other = (u64)(uintptr_t)self_map__read;
	add_copy_at(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, NULL, 0, EXACT, pc);
	add_copy_at(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, NULL, 0, EXACT, pc - 1);
	add_copy_at(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, NULL, 0, PERF_RECORD_MISC_USER, pc - 1);
	add_copy_at(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, kernel, 3, EXACT, call);
	add_copy_at(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, kernel, 3, EXACT, other);
	add_copy_at(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, NULL, 0, EXACT, 0x1234);
	replace_word(&s, s.expect[1], other + 1);
	add_copy_at(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, NULL, 0, EXACT, pc);
	opts = opts_of(&sink);
	a = run(b, &opts, 0);
	TEST_EQ(sink.nr, 7);
	expect_leaf(&sink.seen[0], &s, pc, 0);
	expect_leaf(&sink.seen[1], &s, pc - 1, 0);
	expect_leaf(&sink.seen[2], &s, pc - 1, 0);
	expect_leaf(&sink.seen[3], &s, call, 1);
	expect_alone(&sink.seen[4], other);
	expect_alone(&sink.seen[5], 0x1234);
	expect_alone(&sink.seen[6], pc);
	TEST_EQ(a.stop[UNWIND_OUTERMOST], 4);
	TEST_EQ(a.stop[UNWIND_SKID], 3);
	TEST_EQ(a.frames[UNWIND_BY_START], 7);
}

TEST(pipeline_precise_deferred, "pipeline: nor does it on the callers of a deferred callchain")
{
	static struct snapshot s;
	u64 marked[] = { ABI_CONTEXT_USER_DEFERRED, COOKIE }, pc, other;
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new();
	u32 ev = builder__event(b, &attr, "cpu-clock", (u64[]){ 11 }, 1);
	struct pipeline_account a;
	struct pipeline_opts opts;
	struct taken sink;

	begin_self(b, &s);
	pc = s.expect[0];
	other = (u64)(uintptr_t)self_map__read;
	for (u64 i = 0; i < 4; i++) {
		marked[1] = COOKIE + i;
		builder__at(b, 100, 100, 0, 20 + 10 * i);
		builder__sample(b, ev, &(struct sample){
			.misc = i < 3 ? EXACT : PERF_RECORD_MISC_USER,
			.ip = i == 0 ? pc : i == 1 ? pc - 1 : other,
			.chain = marked, .nr_chain = 2,
		});
		builder__deferred(b, COOKIE + i, s.expect, s.nr_expect);
	}
	opts = opts_of(&sink);
	a = run(b, &opts, 0);
	TEST_EQ(sink.nr, 4);
	expect_leaf(&sink.seen[0], &s, pc, 0);
	expect_leaf(&sink.seen[1], &s, pc - 1, 0);
	TEST_EQ(sink.seen[1].ws.user_part, USER_PART_DEFERRED);
	expect_alone(&sink.seen[2], other);
	expect_leaf(&sink.seen[3], &s, pc, 0); /* not precise: a signal has moved it */
	TEST_EQ(a.user_part[USER_PART_DEFERRED], 3);
}

static void map_page(struct builder *b, u64 start, const char *name)
{
	builder__mmap2(b, &(struct mmap_record){
		.start = start, .len = 0x1000, .prot = PROT_READ | PROT_EXEC,
		.flags = MAP_PRIVATE, .filename = name,
	});
}

TEST(pipeline_in_exec, "pipeline: between two programs there is no stack, and that is said")
{
	static struct snapshot s;
	u64 kernel[] = { ABI_CONTEXT_KERNEL, -4096ULL * 4096 };
	struct pipeline_account a;
	struct pipeline_opts opts;
	struct taken sink;
	struct builder *b;
	char line[512];
	u32 ev;

	snapshot_thread(&s);
	b = builder__new();
	ev = copy_event(b);
	builder__at(b, 100, 100, 0, 10);
	add_self_maps(b);
	builder__at(b, 100, 100, 0, 20);
	builder__comm(b, "next", true);
	builder__at(b, 100, 100, 0, 30);
	add_copy(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, kernel, 2);
	builder__at(b, 100, 100, 0, 40);
	map_page(b, 0x400000, "/next");
	map_page(b, 0x900000, "[vdso]");
	builder__at(b, 100, 100, 0, 50);
	add_copy(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, kernel, 2);
	builder__at(b, 100, 100, 0, 60);
	map_page(b, 0x700000, "/libc.so"); /* by the new program, which runs now */
	builder__at(b, 100, 100, 0, 70);
	add_copy(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, kernel, 2);
	opts = opts_of(&sink);
	a = run(b, &opts, 0);
	TEST_EQ(sink.nr, 3);
	TEST_EQ(sink.seen[0].ws.stop, UNWIND_IN_EXEC);
	EXPECT_CHAIN(&sink.seen[0], kernel[0], kernel[1], ABI_CONTEXT_USER, s.regs.v[8]);
	TEST_EQ(sink.seen[1].ws.stop, UNWIND_IN_EXEC);
	TEST_EQ(sink.seen[2].ws.stop, UNWIND_NO_MODULE);
	pipeline_account__line(&a, line, sizeof(line));
	TEST_STR(line, "3 samples, 0 whole user stacks (0.0 %), 3 not whole: 2 stack gone in "
		       "execve(), 1 no file behind the address");
}

TEST(pipeline_copy_opts, "pipeline: copies can be kept, and chains limited")
{
	static struct snapshot s;
	u64 kernel[] = { ABI_CONTEXT_KERNEL, -4096ULL * 4096 };
	struct pipeline_opts opts;
	struct taken sink;
	struct builder *b;
	u32 ev;

	snapshot_thread(&s);
	for (int keep = 0; keep < 2; keep++) {
		b = builder__new();
		ev = copy_event(b);
		builder__at(b, 100, 100, 0, 10);
		add_self_maps(b);
		add_copy(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, kernel, 2);
		opts = opts_of(&sink);
		opts.keep_copies = keep;
		opts.max_stack = 5;
		run(b, &opts, 0);
		TEST_EQ(sink.seen[0].ws.user_part, keep ? USER_PART_KEPT : USER_PART_UNWOUND);
		TEST_EQ(sink.seen[0].ws.nr_user, keep ? 0 : 5);
		if (!keep)
			TEST_EQ(sink.seen[0].ws.stop, UNWIND_LIMIT);
	}
}

TEST(pipeline_many, "pipeline: more processes than address spaces are kept for")
{
	static struct snapshot s;
	struct pipeline_account a;
	struct pipeline_opts opts;
	struct taken sink;
	struct builder *b;
	u32 ev, nr = 0;

	snapshot_thread(&s);
	b = builder__new();
	ev = copy_event(b);
	for (u32 pid = 100; pid < 200; pid++) {
		builder__at(b, pid, pid, 0, 10 + nr++);
		add_self_maps(b);
	}
	/* In turn, so that those that left come again. */
	for (u32 i = 0; i < 200; i++) {
		builder__at(b, 100 + i % 100, 100 + i % 100, 0, 1000 + i);
		add_copy(b, ev, &s, PERF_SAMPLE_REGS_ABI_64, NULL, 0);
	}
	opts = opts_of(&sink);
	a = run(b, &opts, 0);
	TEST_EQ(a.stop[UNWIND_OUTERMOST], 200);
}

TEST(pipeline_bad_unwinder, "pipeline: an unknown unwinder is refused by name")
{
	struct recording *rec = recording__new();
	struct pipeline_opts opts = { .unwind = "divination" };
	struct error err = {};
	struct pipeline *p;

	TEST_EQ(pipeline__new(&p, rec, &opts, &err), -EINVAL);
	TEST_TRUE(strstr(err.text, "divination"));
	TEST_TRUE(!p);
	recording__free(rec);
}

#endif

struct named {
	char comm[16];
	bool mapped;
	struct pipeline *pipeline;
};

static int on_named(void *ctx, const struct whole_sample *ws)
{
	struct named *n = ctx;

	snprintf(n->comm, sizeof(n->comm), "%s", ws->thread->comm);
	n->mapped = machine__find_map(pipeline__machine(n->pipeline), ws->thread,
				      PERF_RECORD_MISC_USER, 0x400123);
	return 0;
}

TEST(pipeline_told_late, "pipeline: the state that is told at the end of a file belongs in front")
{
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new();
	u32 ev = builder__event(b, &attr, "cpu-clock", (u64[]){ 11 }, 1);
	struct named named = {};
	struct pipeline_opts opts = { .sink = { .sample = on_named, .ctx = &named } };
	struct reader *r;

	mapfile__init();
	builder__at(b, 100, 100, 0, 1000);
	builder__sample(b, ev, &(struct sample){ .ip = 0x400123, .period = 1 });
	for (u32 i = 0; i < 3; i++)
		builder__round(b);
	builder__at(b, 0, 0, 0, 0);
	builder__record(b, PERF_RECORD_COMM, 0,
			&(struct { u32 pid, tid; char comm[8]; }){ 100, 100, "demo" }, 16);
	builder__record(b, PERF_RECORD_MMAP, 0,
			&(struct { u32 pid, tid; u64 start, len, pgoff; char name[16]; }){
				100, 100, 0x400000, 0x1000, 0, "/bin/demo" }, 48);
	builder__save(b, "perf.data");
	TEST_EQ(reader__open(&r, "perf.data", false, NULL), 0);
	TEST_EQ(pipeline__new(&named.pipeline, reader__recording(r), &opts, NULL), 0);
	TEST_EQ(pipeline__run(named.pipeline, r, NULL), 0);
	TEST_STR(named.comm, "demo");
	TEST_TRUE(named.mapped);
	pipeline__free(named.pipeline);
	reader__close(r);
	builder__free(b);
}

TEST(pipeline_reads, "pipeline: a sample that reads its group is one of each event that counted")
{
	/* nr, enabled, running, then value and id of each; an id that nobody has. */
	static const u64 reads[][9] = {
		{ 3, 10, 10, 100, 11, 7, 12, 1, 99 },
		{ 3, 20, 20, 150, 11, 7, 12, 2, 99 },
		{ 3, 30, 30, 151, 11, 9, 12, 3, 99 },
	};
	static const struct { u64 period; u32 event; } want[] = {
		{ 100, 0 }, { 7, 1 }, { 50, 0 }, { 1, 0 }, { 2, 1 },
	};
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new();
	struct pipeline_account account;
	struct pipeline_opts opts;
	struct taken sink;
	u32 ev;

	attr.sample_type |= PERF_SAMPLE_READ;
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
			   PERF_FORMAT_TOTAL_TIME_RUNNING;
	ev = builder__event(b, &attr, "cpu-clock", (u64[]){ 11 }, 1);
	builder__event(b, &attr, "page-faults", (u64[]){ 12 }, 1);
	for (size_t i = 0; i < ARRAY_SIZE(reads); i++) {
		builder__at(b, 100, 100, 0, 1000 + i);
		builder__sample(b, ev, &(struct sample){
			.ip = 0x400123, .period = 5, .read = reads[i],
			.read_size = sizeof(reads[i]) });
	}
	opts = opts_of(&sink);
	opts.sink.split_reads = true;
	account = run(b, &opts, 0);
	TEST_EQ(account.samples, 3);
	TEST_EQ(sink.nr, ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		TEST_EQ(sink.seen[i].period, want[i].period);
		TEST_EQ(sink.seen[i].event, want[i].event);
	}
}
