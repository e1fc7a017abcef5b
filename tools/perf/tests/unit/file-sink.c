// SPDX-License-Identifier: GPL-2.0-only
/* What the sink of a recording leaves out, and what it says of binaries. */
#include <stdio.h>
#include <sys/mman.h>

#include "../../util/pipeline/pipeline.h"
#include "../../util/sink/file-sink.h"
#include "../lib/builder.h"
#include "../test.h"

#define OURS 100
#define FOREIGN 200

static void save_input(void)
{
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new();
	const u64 ip = 0x401000;

	builder__event(b, &attr, "cpu-clock", (u64[]){ 1 }, 1);
	builder__at(b, OURS, OURS, 0, 10);
	builder__comm(b, "ours", false);
	builder__at(b, OURS, OURS, 0, 20);
	builder__deferred(b, 3, &ip, 1);
	builder__at(b, FOREIGN, FOREIGN, 0, 30);
	builder__deferred(b, 5, &ip, 1);
	builder__save(b, "in.data");
	builder__free(b);
}

/* Copies in.data to out.data through the sink; returns how many records it dropped. */
static u64 copy(bool drop_foreign)
{
	struct writer_opts out = { .path = "out.data" };
	struct pipeline_opts opts = { .keep_deferred = true };
	struct file_sink sink;
	struct pipeline *p;
	struct reader *r;
	u64 dropped;

	file_sink__init(&sink);
	sink.drop_foreign = drop_foreign;
	opts.sink = file_sink__ops(&sink);
	TEST_EQ(reader__open(&r, "in.data", false, NULL), 0);
	TEST_EQ(writer__open(&sink.writer, &out, reader__recording(r), NULL), 0);
	TEST_EQ(pipeline__new(&p, reader__recording(r), &opts, NULL), 0);
	TEST_EQ(pipeline__run(p, r, NULL), 0);
	TEST_EQ(writer__finish(sink.writer, NULL), 0);
	dropped = sink.foreign;
	pipeline__free(p);
	file_sink__free(&sink);
	reader__close(r);
	return dropped;
}

static u32 chains_of(u32 tid)
{
	struct record rec;
	struct reader *r;
	u32 nr = 0;

	TEST_EQ(reader__open(&r, "out.data", false, NULL), 0);
	while (reader__next(r, &rec))
		nr += rec.hdr->type == ABI_RECORD_CALLCHAIN_DEFERRED && rec.tid == tid;
	reader__close(r);
	return nr;
}

TEST(file_sink_foreign, "file sink: deferred callchains of tasks not recorded are dropped")
{
	save_input();
	TEST_EQ(copy(true), 1);
	TEST_EQ(chains_of(OURS), 1);
	TEST_EQ(chains_of(FOREIGN), 0);
	TEST_EQ(copy(false), 0);
	TEST_EQ(chains_of(FOREIGN), 1);
}

TEST(file_sink_mmap2_bit, "file sink: MMAP2 says that it has a build-id only where it has one")
{
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new();
	u64 body[10] = { 0, 0x1000, 0x1000, 0, 254ULL << 32 | 8, 4711, 0, 4, 'x' };
	struct mmap_record with_id = {
		.start = 0x5000, .len = 0x1000, .build_id.size = 20, .filename = "/bin/true",
	};
	u32 nr = 0;
	struct record rec;
	struct reader *r;

	builder__event(b, &attr, "cpu-clock", (u64[]){ 1 }, 1);
	builder__at(b, OURS, OURS, 0, 10);
	builder__record(b, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | ABI_MISC_MMAP_BUILD_ID, body,
			sizeof(body));
	builder__mmap2(b, &with_id);
	builder__save(b, "in.data");
	builder__free(b);
	copy(false);
	TEST_EQ(reader__open(&r, "out.data", false, NULL), 0);
	for (; reader__next(r, &rec); nr++)
		TEST_EQ(rec.hdr->misc, PERF_RECORD_MISC_USER | (nr ? ABI_MISC_MMAP_BUILD_ID : 0));
	TEST_EQ(nr, 2);
	reader__close(r);
}

TEST(file_sink_stale, "file sink: stale bytes behind a record are not written")
{
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new();
	u64 body[3] = { 0xffffffffc0001000, 64, 'x' };
	u16 size = sizeof(struct perf_event_header) + sizeof(body) + 4 * sizeof(u64);
	struct record rec;
	struct reader *r;
	u32 nr = 0;

	builder__event(b, &attr, "cpu-clock", (u64[]){ 1 }, 1);
	builder__at(b, OURS, OURS, 0, 10);
	for (size_t stale = 0; stale < 128; stale += 32)
		builder__oversized(b, PERF_RECORD_KSYMBOL, body, sizeof(body), stale);
	builder__save(b, "in.data");
	builder__free(b);
	copy(false);
	TEST_EQ(reader__open(&r, "out.data", false, NULL), 0);
	for (; reader__next(r, &rec); nr++) {
		TEST_EQ(rec.hdr->size, size);
		TEST_EQ(rec.time, 10);
	}
	TEST_EQ(nr, 4);
	reader__close(r);
}

/* @nr programs one after the other, each with a sample; many more than are remembered. */
static struct builder *short_lives(u32 nr)
{
	struct perf_event_attr attr = BUILDER_ATTR;
	struct sample sample = { .ip = 0x1234, .period = 1, .cpumode = PERF_RECORD_MISC_USER };
	struct builder *b = builder__new();
	u32 ev = builder__event(b, &attr, "cpu-clock", (u64[]){ 1 }, 1);
	char name[32];

	for (u32 i = 0; i < nr; i++) {
		struct mmap_record mmap = {
			.start = 0x1000, .len = 0x1000, .prot = PROT_EXEC, .filename = name,
			.build_id = { 20, { i & 255, i >> 8 } },
		};

		snprintf(name, sizeof(name), "/no/where/%u", i);
		builder__at(b, OURS, OURS, 0, 10 + i);
		builder__comm(b, "prog", true);
		builder__mmap2(b, &mmap);
		builder__sample(b, ev, &sample);
		builder__exit(b);
	}
	return b;
}

/* Through a live pipeline, which is returned, and @sink, where they stay. */
static struct pipeline *push_all(struct file_sink *sink, struct builder *b)
{
	struct pipeline_opts opts = { .symbols.binary.live = true, .sink = file_sink__ops(sink) };
	struct pipeline *p;
	size_t size;
	const u8 *data = builder__data(b, &size);

	TEST_EQ(pipeline__new(&p, builder__recording(b), &opts, NULL), 0);
	for (size_t at = 0; at < size;) {
		struct record rec = { .hdr = (const void *)(data + at) };

		TEST_EQ(record__identify(&rec, builder__recording(b)), 0);
		TEST_EQ(pipeline__push(p, &rec), 0);
		at += rec.hdr->size;
	}
	TEST_EQ(pipeline__finish(p), 0);
	return p;
}

TEST(file_sink_build_ids, "file sink: a build-id of each binary that was hit, forgotten or not")
{
	enum { PROGRAMS = 1500 };
	struct builder *b = short_lives(PROGRAMS);
	struct writer_opts out = { .path = "out.data" };
	struct recording *rec = builder__recording(b);
	struct file_sink sink;
	struct pipeline *p;
	u8 seen[PROGRAMS] = {};

	file_sink__init(&sink);
	sink.live = true;
	TEST_EQ(writer__open(&sink.writer, &out, rec, NULL), 0);
	p = push_all(&sink, b);
	TEST_TRUE(machine__nr_dsos(pipeline__machine(p)) < PROGRAMS);
	file_sink__describe(&sink, rec);
	TEST_EQ(rec->build_ids.nr, PROGRAMS);
	for (u32 i = 0; i < PROGRAMS; i++) {
		const struct data_build_id *id = &rec->build_ids.v[i];
		u32 nr = id->id.data[0] | id->id.data[1] << 8;
		char name[32];

		snprintf(name, sizeof(name), "/no/where/%u", nr);
		TEST_STR(id->path, name);
		TEST_TRUE(nr < PROGRAMS && !seen[nr]++);
	}
	/* The next file has its own. */
	file_sink__restart(&sink);
	rec->build_ids.nr = 0;
	file_sink__describe(&sink, rec);
	TEST_EQ(rec->build_ids.nr, 0);
	TEST_EQ(writer__finish(sink.writer, NULL), 0);
	pipeline__free(p);
	file_sink__free(&sink);
	builder__free(b);
}

TEST(file_sink_chain, "file sink: the binaries of a chain, each of neighbours, and no others")
{
	struct perf_event_attr attr = BUILDER_ATTR;
	static const char *const paths[] = { "/1", "/2", "/3", "/4", "/5" };
	/* The kernel has the same addresses, as on s390x. */
	const u64 chain[] = { ABI_CONTEXT_KERNEL, 0x1800, ABI_CONTEXT_USER, 0x1000, 0x1fff, 0x2000,
			      0x1800, 0x4000, 0x3fff };
	struct builder *b = builder__new();
	u32 ev = builder__event(b, &attr, "cpu-clock", (u64[]){ 1 }, 1);
	struct writer_opts out = { .path = "out.data" };
	struct recording *rec;
	struct file_sink sink;
	struct pipeline *p;

	builder__at(b, OURS, OURS, 0, 10);
	for (u64 i = 1; i <= 5; i++) {
		builder__mmap2(b, &(struct mmap_record){
			.start = i * 0x1000, .len = 0x1000, .prot = PROT_EXEC,
			.filename = paths[i - 1],
			.build_id = { 20, { i } },
		});
	}
	builder__mmap2(b, &(struct mmap_record){
		.start = 0x1000, .len = 0x1000, .cpumode = PERF_RECORD_MISC_KERNEL,
		.filename = "[kernel.kallsyms]_text", .build_id = { 20, { 6 } },
	});
	builder__sample(b, ev, &(struct sample){ .ip = 0x1000, .cpumode = PERF_RECORD_MISC_USER,
						 .chain = chain, .nr_chain = ARRAY_SIZE(chain) });
	rec = builder__recording(b);
	file_sink__init(&sink);
	sink.live = true;
	TEST_EQ(writer__open(&sink.writer, &out, rec, NULL), 0);
	p = push_all(&sink, b);
	file_sink__describe(&sink, rec);
	TEST_EQ(rec->build_ids.nr, 5);
	for (size_t i = 0; i < 4; i++)
		TEST_STR(rec->build_ids.v[i].path, paths[i]);
	TEST_STR(rec->build_ids.v[4].path, "[kernel.kallsyms]");
	TEST_EQ(writer__finish(sink.writer, NULL), 0);
	pipeline__free(p);
	file_sink__free(&sink);
	builder__free(b);
}
