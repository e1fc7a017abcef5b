// SPDX-License-Identifier: GPL-2.0-only
/* Several sinks at the end of one pipeline: each gets what it would get alone. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../util/io/mapfile.h"
#include "../../util/pipeline/pipeline.h"
#include "../../util/sink/file-sink.h"
#include "../lib/builder.h"
#include "../lib/replay.h"
#include "../test.h"

#define COOKIE 0x300000001ULL

/* What came, in order: a letter, and of what has one the time. */
struct tape {
	char text[512];
	size_t len;
	char fails_at; /* this letter's function returns 77 */
};

static int note(struct tape *t, char what, u64 time, u64 period)
{
	char *to = t->text + t->len;
	size_t room = sizeof(t->text) - t->len;

	if (period)
		t->len += snprintf(to, room, "%c%" PRIu64 "=%" PRIu64 " ", what, time, period);
	else if (time)
		t->len += snprintf(to, room, "%c%" PRIu64 " ", what, time);
	else
		t->len += snprintf(to, room, "%c ", what);
	TEST_TRUE(t->len < sizeof(t->text));
	return what == t->fails_at ? 77 : 0;
}

static void on_begin(void *ctx, struct machine *machine, struct symbols *symbols)
{
	TEST_TRUE(machine && symbols);
	note(ctx, 'B', 0, 0);
}

static int on_sample(void *ctx, const struct whole_sample *ws)
{
	return note(ctx, 'S', ws->rec->time, ws->s->period);
}

static int on_record(void *ctx, const struct record *rec)
{
	bool map = rec->hdr->type == PERF_RECORD_MMAP;

	return note(ctx, map ? 'M' : 'R', rec->time, 0);
}

static int on_end(void *ctx)
{
	return note(ctx, 'E', 0, 0);
}

static struct sink tape__sink(struct tape *t)
{
	return (struct sink){
		.begin = on_begin, .sample = on_sample, .record = on_record, .end = on_end,
		.ctx = t,
	};
}

/* The counts of a group: number, then value and id of each. */
static void add_read(struct builder *b, u32 ev, u64 time, u64 first, u64 second)
{
	const u64 read[] = { 2, first, 11, second, 12 };

	builder__at(b, 100, 100, 0, time);
	builder__sample(b, ev, &(struct sample){
		.ip = 0x400123, .period = 5, .read = read, .read_size = sizeof(read) });
}

/*
 * Has what sinks may want otherwise than others: a sample that is whole with a mapping that comes
 * later, the record that made it whole, and samples that count two events.
 */
static void save_recording(void)
{
	u64 chain[] = { ABI_CONTEXT_USER_DEFERRED, COOKIE }, ip = 0x400123;
	struct perf_event_attr attr = BUILDER_ATTR, group = BUILDER_ATTR;
	struct builder *b = builder__new();
	u32 ev, counting;

	group.sample_type |= PERF_SAMPLE_READ;
	group.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	attr__set_bit(&attr, ATTR_BIT_DEFER_CALLCHAIN, true);
	attr__set_bit(&attr, ATTR_BIT_DEFER_OUTPUT, true);
	ev = builder__event(b, &attr, "cpu-clock", (u64[]){ 11 }, 1);
	counting = builder__event(b, &group, "page-faults", (u64[]){ 12 }, 1);
	builder__at(b, 100, 100, 0, 5);
	builder__comm(b, "demo", true);
	builder__at(b, 100, 100, 0, 10);
	builder__sample(b, ev, &(struct sample){ .ip = ip, .period = 1, .chain = chain,
						 .nr_chain = 2 });
	builder__at(b, 100, 100, 0, 20);
	builder__mmap(b, 0x400000, 0x1000, 0, "/bin/demo");
	builder__at(b, 100, 100, 0, 30);
	builder__deferred(b, COOKIE, &ip, 1);
	add_read(b, counting, 40, 100, 7);
	add_read(b, counting, 50, 130, 7);
	builder__save(b, "perf.data");
	builder__free(b);
}

static int run(const char *path, const struct sink *first)
{
	struct pipeline_opts opts = { .sink = *first };
	struct pipeline *p;
	struct reader *r;
	int ret;

	mapfile__init();
	TEST_EQ(reader__open(&r, path, false, NULL), 0);
	TEST_EQ(pipeline__new(&p, reader__recording(r), &opts, NULL), 0);
	ret = pipeline__run(p, r, NULL);
	pipeline__free(p);
	reader__close(r);
	return ret;
}

static void expect_tape(const struct sink *wants, const char *text)
{
	struct tape tape = {};
	struct sink sink = tape__sink(&tape);

	sink.drop_merged = wants->drop_merged;
	sink.early_maps = wants->early_maps;
	sink.split_reads = wants->split_reads;
	TEST_EQ(run("perf.data", &sink), 0);
	TEST_STR(tape.text, text);
}

TEST(sinks_wants, "sinks: what one wants, it gets alone as beside others that want otherwise")
{
	static const struct {
		struct sink wants;
		const char *gets;
	} cases[] = {
		{ {}, "B R5 S10=1 M20 R30 S40=5 S50=5 E " },
		{ { .drop_merged = true }, "B R5 S10=1 M20 S40=5 S50=5 E " },
		{ { .early_maps = true }, "B R5 M10 S10=1 M20 R30 S40=5 S50=5 E " },
		{ { .split_reads = true }, "B R5 S10=1 M20 R30 S40=100 S40=7 S50=30 E " },
	};
	struct tape tapes[2 * ARRAY_SIZE(cases)] = {};
	struct sink sinks[2 * ARRAY_SIZE(cases)];

	save_recording();
	for (size_t i = 0; i < ARRAY_SIZE(sinks); i++) {
		const struct sink *wants = &cases[i / 2].wants;

		if (i % 2)
			expect_tape(wants, cases[i / 2].gets);
		sinks[i] = tape__sink(&tapes[i]);
		sinks[i].drop_merged = wants->drop_merged;
		sinks[i].early_maps = wants->early_maps;
		sinks[i].split_reads = wants->split_reads;
		sinks[i].next = i + 1 < ARRAY_SIZE(sinks) ? &sinks[i + 1] : NULL;
	}
	TEST_EQ(run("perf.data", sinks), 0);
	for (size_t i = 0; i < ARRAY_SIZE(sinks); i++)
		TEST_STR(tapes[i].text, cases[i / 2].gets);
}

/* Two sinks, of which the first returns 77 for @what. */
static void run_failing(char what, const char *first, const char *second)
{
	struct tape a = { .fails_at = what }, b = {};
	struct sink last = tape__sink(&b), sink = tape__sink(&a);

	sink.next = &last;
	TEST_EQ(run("perf.data", &sink), 77);
	TEST_STR(a.text, first);
	TEST_STR(b.text, second);
}

TEST(sinks_stop, "sinks: what one returns ends the run for all, and none ends as if it were whole")
{
	save_recording();
	run_failing('S', "B R5 S10=1 ", "B R5 ");
	run_failing('M', "B R5 S10=1 M20 ", "B R5 S10=1 ");
	run_failing('E', "B R5 S10=1 M20 R30 S40=5 S50=5 E ", "B R5 S10=1 M20 R30 S40=5 S50=5 ");
}

/* Stitches @from into @to, with @also behind the file sink. */
static void stitch(const char *from, const char *to, const struct sink *also)
{
	struct pipeline_opts opts = {};
	struct file_sink sink;
	struct pipeline *p;
	struct reader *r;

	mapfile__init();
	file_sink__init(&sink);
	sink.stitch = true;
	opts.sink = file_sink__ops(&sink);
	opts.sink.next = also;
	TEST_EQ(reader__open(&r, from, false, NULL), 0);
	TEST_EQ(writer__open(&sink.writer, &(struct writer_opts){ .path = to },
			     reader__recording(r), NULL), 0);
	TEST_EQ(pipeline__new(&p, reader__recording(r), &opts, NULL), 0);
	TEST_EQ(pipeline__run(p, r, NULL), 0);
	TEST_EQ(writer__finish(sink.writer, NULL), 0);
	pipeline__free(p);
	file_sink__free(&sink);
	reader__close(r);
}

static void expect_same_files(const char *a, const char *b)
{
	int fd_a = open(a, O_RDONLY | O_CLOEXEC), fd_b = open(b, O_RDONLY | O_CLOEXEC);
	char x[4096], y[4096];
	ssize_t nr;

	TEST_TRUE(fd_a >= 0 && fd_b >= 0);
	do {
		nr = read(fd_a, x, sizeof(x));
		TEST_EQ(read(fd_b, y, sizeof(y)), nr);
		TEST_TRUE(nr >= 0 && !memcmp(x, y, nr));
	} while (nr);
	close(fd_a);
	close(fd_b);
}

TEST(sinks_file_and_log, "sinks: a file and a log made at once are those made one by one")
{
	const char *path = test__unzstd("deferred/a.data");
	struct sample_log alone = {}, beside = {};
	struct sink log = sample_log__sink(&alone);

	TEST_EQ(run(path, &log), 0);
	stitch(path, "alone.data", NULL);
	log = sample_log__sink(&beside);
	stitch(path, "beside.data", &log);
	TEST_TRUE(alone.v.nr > 100);
	sample_log__expect_same(&alone, &beside);
	expect_same_files("alone.data", "beside.data");
	vec__free(&alone.v);
	vec__free(&beside.v);
}
