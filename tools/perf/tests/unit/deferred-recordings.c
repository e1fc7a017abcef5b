// SPDX-License-Identifier: GPL-2.0-only
/*
 * The matcher on real recordings of a 7.2 kernel (data/deferred/README.md), through the whole
 * pipeline. The figures were counted by an independent parser. Besides them, each sample is
 * checked: time order, no cookie in any chain, and, where the program's threads spell their
 * number in their stacks, that the merged chain spells the number of the sample's own thread.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/replay.h"
#include "../test.h"

static const struct expected {
	const char *file;
	u64 samples, deferred, records;
	u64 have_record; /* samples with a record of their tid and cookie, exec in between or not */
	u64 late;        /* of them: the record came first */
	bool spells;     /* the truth can be checked */
} recordings[] = {
	{ .file = "deferred/a.data", .samples = 6192, .deferred = 6192, .records = 3257,
	  .have_record = 6191, .late = 75 },
	{ .file = "deferred/b.data", .samples = 23136, .deferred = 23131, .records = 9453,
	  .have_record = 23129, .late = 149, .spells = true },
	{ .file = "deferred/bench.data", .samples = 4385, .deferred = 1297, .records = 951,
	  .have_record = 1297, .late = 6 },
	{ .file = "deferred/big2.data", .samples = 472771, .deferred = 57040, .records = 15625,
	  .have_record = 57038, .late = 1011, .spells = true },
	{ .file = "deferred/c.data", .samples = 9459, .deferred = 9384, .records = 5143,
	  .have_record = 9212, .late = 150, .spells = true },
	{ .file = "deferred/ca.data", .samples = 19852, .deferred = 2603, .records = 793,
	  .have_record = 2603, .late = 71, .spells = true },
	{ .file = "deferred/d.data", .samples = 48431, .deferred = 48417, .records = 7738,
	  .have_record = 43053, .late = 2836, .spells = true },
	{ .file = "deferred/e2.data", .samples = 10810, .deferred = 5999, .records = 4738,
	  .have_record = 5997, .late = 19, .spells = true },
	{ .file = "deferred/e4.data", .samples = 439, .deferred = 439, .records = 409,
	  .have_record = 418, .late = 2, .spells = true },
	{ .file = "deferred/f1.data", .samples = 3148, .deferred = 3148, .records = 1640,
	  .have_record = 3140, .late = 19, .spells = true },
	{ .file = "deferred/f2.data", .samples = 2473, .deferred = 2473, .records = 1140,
	  .have_record = 2469, .late = 12, .spells = true },
	{ .file = "deferred/f4.pipe", .samples = 4051, .deferred = 1398, .records = 714,
	  .have_record = 1391, .late = 12, .spells = true },
	{ .file = "deferred/g2.data", .samples = 3547, .deferred = 12, .records = 10,
	  .have_record = 12 },
	{ .file = "deferred/h32.data", .samples = 325, .deferred = 325, .records = 279,
	  .have_record = 324 },
	{ .file = "deferred/hdeep.data", .samples = 1002, .deferred = 1002, .records = 991,
	  .have_record = 1002 },
	{ .file = "deferred/ictx.data", .samples = 3238, .deferred = 213, .records = 1851,
	  .have_record = 213, .spells = true },
	{ .file = "deferred/iu.data", .samples = 208, .deferred = 208, .records = 204,
	  .have_record = 208, .spells = true },
	{ .file = "deferred/s2.data", .samples = 778, .deferred = 778, .records = 1468,
	  .have_record = 777, .late = 3, .spells = true },
	{ .file = "deferred/a-ref.data" }, /* ordinary chains: nothing to match */
};

/* b0, b1 and spell of bits.h in all the programs (static binaries, linked alike). */
#define B0 0x401675
#define B1 0x4016f6
#define SPELL 0x401777
#define SPELL_END 0x4017f6

struct tally {
	u64 samples, deferred, matched, late, exec, checked, wrong, last_time;
};

/* The number that a stack spells: ten calls of b0 or b1 below spell, lowest bit innermost. */
static int spelt_number(const u64 *ips, u64 nr)
{
	u64 spell = 0, first;
	int n = 0;

	while (spell < nr && (ips[spell] < SPELL || ips[spell] >= SPELL_END))
		spell++;
	if (spell == nr || spell < 10)
		return -1;
	first = spell - 10;
	for (u64 i = first; i < spell; i++) {
		if (ips[i] < B0 || ips[i] >= SPELL)
			return -1;
		if (ips[i] >= B1)
			n |= 1 << (i - first);
	}
	/* An eleventh means that a frame is missing or doubled: not a number. */
	return first && ips[first - 1] >= B0 && ips[first - 1] < SPELL ? -1 : n;
}

/* The number that a thread of this name spells (exiters.c, manyt.c, blockers.c), or -1. */
static int number_of_comm(const char *comm)
{
	int n;

	if (sscanf(comm, "sleep%d", &n) == 1)
		return 500 + n;
	if (sscanf(comm, "ex%d", &n) == 1)
		return 900 + n % 50;
	if (sscanf(comm, "g%d", &n) == 1)
		return 700 + n % 50;
	if (sscanf(comm, "k%d", &n) == 1)
		return 800 + n % 50;
	if (sscanf(comm, "b%d", &n) == 1)
		return n % 1024;
	if (sscanf(comm, "t%d", &n) == 1 || sscanf(comm, "x%d", &n) == 1 ||
	    sscanf(comm, "s%d", &n) == 1)
		return n;
	return strcmp(comm, "E1") ? -1 : 999;
}

static void check_chain(const struct whole_sample *ws, struct tally *t, bool spells)
{
	int spelt, expected;

	for (u64 i = 0; i < ws->nr_chain; i++) {
		if (ws->chain[i] == ABI_CONTEXT_USER_DEFERRED)
			TEST_FAIL("marker in a merged chain at time %" PRIu64, ws->rec->time);
		/* Cookies: counter << 32 | cpu + 1, on four CPUs. Nothing is mapped there. */
		if (ws->chain[i] >> 32 && ws->chain[i] >> 32 < 0x500000 &&
		    (u32)ws->chain[i] >= 1 && (u32)ws->chain[i] <= 4)
			TEST_FAIL("cookie %#" PRIx64 " as an address", ws->chain[i]);
	}
	if (!spells || ws->user_part != USER_PART_DEFERRED)
		return;
	spelt = spelt_number(ws->user, ws->nr_user);
	expected = number_of_comm(ws->thread->comm);
	if (spelt < 0 || expected < 0)
		return;
	t->checked++;
	if (spelt != expected) {
		t->wrong++;
		printf("%s at %" PRIu64 " spells %d\n", ws->thread->comm, ws->rec->time, spelt);
	}
}

struct run {
	const struct expected *e;
	struct tally t;
};

static int on_sample(void *ctx, const struct whole_sample *ws)
{
	struct run *run = ctx;
	struct tally *t = &run->t;

	if (ws->rec->time != NO_TIME) {
		if (ws->rec->time < t->last_time)
			TEST_FAIL("out of time order at %" PRIu64, ws->rec->time);
		t->last_time = ws->rec->time;
	}
	t->samples++;
	t->deferred += ws->deferred != DEFERRED_NOT;
	t->matched += deferred_result__is_match(ws->deferred);
	t->late += ws->deferred == DEFERRED_LATE;
	t->exec += ws->deferred == DEFERRED_EXEC;
	check_chain(ws, t, run->e->spells);
	return 0;
}

static void check(const struct expected *e, u64 *checked)
{
	struct run run = { .e = e };
	struct pipeline_opts opts = { .sink = { .sample = on_sample, .ctx = &run } };
	const struct pipeline_account *a;
	struct error err = {};
	struct pipeline *p;
	struct reader *r;

	TEST_EQ(reader__open(&r, test__unzstd(e->file), false, &err), 0);
	TEST_EQ(pipeline__new(&p, reader__recording(r), &opts, &err), 0);
	TEST_EQ(pipeline__run(p, r, &err), 0);
	a = pipeline__account(p);
	printf("%s: %" PRIu64 " samples, %" PRIu64 " deferred, %" PRIu64 " records (%" PRIu64
	       " doubled, %" PRIu64 " unused), %" PRIu64 " checked\n", e->file, run.t.samples,
	       run.t.deferred, a->deferred_stats.records, a->deferred_stats.duplicates,
	       a->deferred_stats.unused, run.t.checked);
	for (int i = 1; i < DEFERRED_NR; i++)
		if (a->deferred[i])
			printf("    %s: %" PRIu64 "\n", deferred_result__name(i), a->deferred[i]);
	if (e->samples)
		TEST_EQ(run.t.samples, e->samples);
	TEST_EQ(run.t.wrong, 0);
	/* A marker without cookie (ictx) counts as deferred here, but had no chance to match. */
	TEST_EQ(run.t.deferred - a->deferred[DEFERRED_NO_COOKIE], e->deferred);
	TEST_EQ(a->deferred_stats.records, e->records);
	TEST_TRUE(run.t.matched <= e->have_record);
	TEST_TRUE(run.t.matched + run.t.exec >= e->have_record);
	if (!run.t.exec)
		TEST_EQ(run.t.late, e->late);
	*checked += run.t.checked;
	pipeline__free(p);
	reader__close(r);
}

TEST_LIMIT(deferred_recordings, "callchain-deferred: real recordings, every chain checked", 120)
{
	u64 checked = 0;

	for (size_t i = 0; i < ARRAY_SIZE(recordings); i++)
		check(&recordings[i], &checked);
	printf("%" PRIu64 " chains checked against the number that their thread spells, 0 wrong\n",
	       checked);
	TEST_TRUE(checked > 50000);
}

static void put(int fd, const void *p, size_t size)
{
	for (size_t pos = 0; pos < size;) {
		ssize_t n = write(fd, (const u8 *)p + pos, size - pos);

		if (n <= 0)
			_exit(1);
		pos += n;
	}
}

/* What `perf record -o -` would have sent. */
static void send_as_pipe(const char *path, const char *fifo)
{
	static const u64 head[] = { 0x32454c4946524550ULL /* PERFILE2 */, 16 };
	int fd = open(fifo, O_WRONLY);
	struct error err = {};
	struct record rec;
	struct reader *r;

	if (reader__open(&r, path, false, &err))
		_exit(1);
	put(fd, head, sizeof(head));
	for (size_t i = 0; i < reader__recording(r)->events.nr; i++) {
		const struct evsel *ev = reader__recording(r)->events.v[i];
		struct perf_event_header hdr = { .type = USER_RECORD_ATTR };

		hdr.size = sizeof(hdr) + ev->raw_size + ev->ids.nr * sizeof(u64);
		put(fd, &hdr, sizeof(hdr));
		put(fd, ev->raw, ev->raw_size);
		put(fd, ev->ids.v, ev->ids.nr * sizeof(u64));
	}
	while (reader__next(r, &rec))
		put(fd, rec.hdr, rec.hdr->size);
	_exit(0);
}

struct output {
	struct pipeline_account account;
	struct sample_log log;
};

enum way { BY_FILE, BY_PIPE, BY_RINGS };

static void run_way(const char *path, enum way way, struct output *out)
{
	struct pipeline_opts opts = {
		.sink = sample_log__sink(&out->log),
		.symbols.binary.live = way == BY_RINGS,
		.max_pending = 1ULL << 30, /* of big2, more waits than would by itself */
	};
	struct error err = {};
	struct pipeline *p;
	struct reader *r;

	*out = (struct output){};
	if (way == BY_PIPE) {
		unlink("fifo");
		TEST_EQ(mkfifo("fifo", 0600), 0);
		if (!fork())
			send_as_pipe(path, "fifo");
		TEST_EQ(reader__open_live(&r, "fifo", false, &err), 0);
		TEST_TRUE(reader__is_stream(r));
	} else {
		TEST_EQ(reader__open(&r, path, false, &err), 0);
	}
	TEST_EQ(pipeline__new(&p, reader__recording(r), &opts, &err), 0);
	TEST_EQ(way == BY_RINGS ? replay__run(p, r, 0) : pipeline__run(p, r, &err), 0);
	if (way == BY_PIPE)
		wait(NULL);
	out->account = *pipeline__account(p);
	pipeline__free(p);
	reader__close(r);
}

/*
 * Of a doubled stretch of a buffer, the first or the second record may be taken; and what is read
 * once knows better when a thread was first heard of again.
 */
static u64 kin(const struct output *o, int reason)
{
	const u64 *n = o->account.deferred;

	if (reason == DEFERRED_MATCHED || reason == DEFERRED_LATE)
		return n[DEFERRED_MATCHED] + n[DEFERRED_LATE];
	if (reason == DEFERRED_LOST || reason == DEFERRED_NO_RECORD)
		return n[DEFERRED_LOST] + n[DEFERRED_NO_RECORD];
	return n[reason];
}

static void expect_same(const char *file, const char *way, struct output *a, struct output *b)
{
	for (int i = 0; i < DEFERRED_NR; i++) {
		if (a->account.deferred[i] != b->account.deferred[i])
			printf("%s: %s: %" PRIu64 " of the file, %" PRIu64 " %s\n", file,
			       deferred_result__name(i), a->account.deferred[i],
			       b->account.deferred[i], way);
		TEST_EQ(kin(a, i), kin(b, i));
	}
	/* The recorder of d.data put records behind the end of their round: only files mend it. */
	if (b->account.late) {
		printf("%s: %" PRIu64 " late records %s\n", file, b->account.late, way);
		sample_log__forget_order(&a->log);
		sample_log__forget_order(&b->log);
	}
	sample_log__expect_same(&a->log, &b->log);
}

/* Two recordings have four times as many samples as all the others. */
#define MANY_SAMPLES 40000

TEST_LIMIT(deferred_recordings_ways,
	   "callchain-deferred: file, pipe and rings give the same chains", 120)
{
	struct output file, pipe, rings;

	for (size_t i = 0; i < ARRAY_SIZE(recordings); i++) {
		const char *path;

		if (recordings[i].samples > MANY_SAMPLES && test__share(2) > 1)
			continue;
		path = test__unzstd(recordings[i].file);
		run_way(path, BY_FILE, &file);
		run_way(path, BY_PIPE, &pipe);
		run_way(path, BY_RINGS, &rings);
		TEST_EQ(file.log.v.nr, file.account.samples);
		expect_same(recordings[i].file, "through a pipe", &file, &pipe);
		expect_same(recordings[i].file, "from rings", &file, &rings);
		vec__free(&file.log.v);
		vec__free(&pipe.log.v);
		vec__free(&rings.log.v);
	}
}
