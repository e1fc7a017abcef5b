// SPDX-License-Identifier: GPL-2.0-only
/* Samples inside exec(): the user part points to mappings that are yet to come. */
#include "../../util/stitch/stitch.h"
#include "../lib/builder.h"
#include "../test.h"

#define PID 100
#define ENTRY 0x401550ULL

struct seen {
	struct pipeline *p;
	u32 nr;
	bool has[4]; /* each sample's innermost user address a mapping, which is of /bin/new */
};

static int on_sample(void *ctx, const struct whole_sample *ws)
{
	struct seen *s = ctx;
	u64 ip = ws->nr_user ? ws->user[0] : ws->chain[ws->nr_chain - 1]; /* of a stitched one */
	const struct map *map;

	TEST_TRUE(s->nr < ARRAY_SIZE(s->has));
	TEST_TRUE(ws->thread == machine__find_thread(pipeline__machine(s->p), PID));
	map = machine__find_map(pipeline__machine(s->p), ws->thread, PERF_RECORD_MISC_USER, ip);
	if (map)
		TEST_STR(map->dso->name, "/bin/new");
	s->has[s->nr++] = map;
	return 0;
}

static void sample(struct builder *b, u32 event, u64 time, u64 cookie)
{
	const u64 chain[] = { ABI_CONTEXT_KERNEL, 0xffffffff81000000, ABI_CONTEXT_USER_DEFERRED,
			      cookie };

	builder__at(b, PID, PID, 0, time);
	builder__sample(b, event, &(struct sample){
		.ip = chain[1], .chain = chain, .nr_chain = 4,
	});
}

static void deferred(struct builder *b, u64 time, u64 cookie, u64 ip)
{
	builder__at(b, PID, PID, 0, time);
	builder__deferred(b, cookie, &ip, 1);
}

static void run(const char *path, struct seen *s)
{
	struct pipeline_opts opts = { .sink = { .sample = on_sample, .ctx = s } };
	struct reader *r;

	TEST_EQ(reader__open(&r, path, false, NULL), 0);
	TEST_EQ(pipeline__new(&s->p, reader__recording(r), &opts, NULL), 0);
	TEST_EQ(pipeline__run(s->p, r, NULL), 0);
	pipeline__free(s->p);
	reader__close(r);
}

/* What the samples of @path show. */
static void expect_maps(const char *path)
{
	struct seen s = {};

	run(path, &s);
	TEST_EQ(s.nr, 3);
	TEST_TRUE(s.has[0]);
	TEST_TRUE(!s.has[1]);
	TEST_TRUE(s.has[2]);
}

static u64 stitch(const char *from, const char *to)
{
	struct stitch_opts opts = { .output = to };
	struct stitch_result result;
	struct reader *r;

	TEST_EQ(reader__open(&r, from, false, NULL), 0);
	TEST_EQ(stitch__run(r, &opts, &result, NULL), 0);
	stitch_result__free(&result);
	reader__close(r);
	return result.bytes_out;
}

/* The beginning of a new program, whose first sample waits for the deferred callchain 3. */
static struct builder *begin_program(u32 *ev)
{
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new();

	attr__set_bit(&attr, ATTR_BIT_DEFER_CALLCHAIN, true);
	*ev = builder__event(b, &attr, "cpu-clock", (u64[]){ 1 }, 1);
	builder__at(b, PID, PID, 0, 10);
	builder__comm(b, "new", true);
	sample(b, *ev, 20, 3);
	builder__at(b, PID, PID, 0, 30);
	return b;
}

TEST(future_maps_exec, "pipeline: after an exec, user parts see the new program's mappings")
{
	u32 ev;
	struct builder *b = begin_program(&ev);
	u64 size;

	builder__mmap(b, 0x401000, 0x1000, 0x1000, "/bin/new");
	deferred(b, 40, 3, ENTRY);
	sample(b, ev, 50, 5); /* an address that is never mapped stays unknown */
	deferred(b, 60, 5, 0x500000);
	sample(b, ev, 70, 7);
	deferred(b, 80, 7, ENTRY);
	builder__save(b, "perf.data");
	builder__free(b);
	expect_maps("perf.data");
	/* The written file has that mapping before the sample that needs it; once. */
	size = stitch("perf.data", "out.data");
	expect_maps("out.data");
	TEST_EQ(stitch("out.data", "again.data"), size);
}

/* The process in the record's body takes the thread away from the one that the trailer names. */
TEST(future_maps_of_others, "pipeline: a mapping of another process is not looked at early")
{
	static const struct {
		u32 pid, tid;
		u64 start, len, pgoff;
		char name[16];
	} other = { PID + 7, PID, 0x401000, 0x1000, 0x1000, "/bin/new" };
	u32 ev;
	struct builder *b = begin_program(&ev);
	struct seen s = {};

	builder__record(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, &other, sizeof(other));
	deferred(b, 40, 3, ENTRY);
	builder__save(b, "perf.data");
	builder__free(b);
	run("perf.data", &s);
	TEST_EQ(s.nr, 1);
	TEST_TRUE(!s.has[0]);
}
