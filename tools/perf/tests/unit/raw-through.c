// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recorder that cannot unwind as fast as samples come: what does not fit into its arena goes
 * into the file with its stack copy, nothing is lost, and `perf stitch` does the rest.
 */
#include <sys/resource.h>
#include <unistd.h>

#include "../../util/io/mapfile.h"
#include "../../util/record/recorder.h"
#include "../../util/stitch/stitch.h"
#include "../test.h"

#define ARENA (8u << 20)
#define RING_PAGES 256 /* all rings together fit into the arena several times */

/*
 * The libdw unwinder takes some ten times as long as it takes to write a copy. The program has the
 * precedence that the recorder takes, where that is allowed and whatever that of the tests is, so
 * that it is sampled in any case.
 */
static struct recorder_result record_slowly(void)
{
	char self[4096] = "", *more_nice = xasprintf("%d", -15 - getpriority(PRIO_PROCESS, 0));
	const char *const argv[] = {
		/* The thread that looks for leaks has no caller. */
		"env", "ASAN_OPTIONS=detect_leaks=0",
		"nice", "-n", more_nice, self, "test", "-w", "deep", "150", "0.5", NULL
	};
	struct event_list events = {};
	struct recorder_opts opts = {
		.events = &events,
		.sampling = {
			.freq = 50000, .stack = USER_STACK_COPY,
			.stack_size = SAMPLING_DEFAULT_STACK,
		},
		.argv = argv,
		.output = "raw.data",
		.stitch = true,
		.unwind = "libdw",
		.ring_pages = RING_PAGES,
		.arena_bytes = ARENA,
	};
	struct recorder_result result;
	struct error err = {};

	TEST_TRUE(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	TEST_EQ(event_list__parse(&events, "cpu-clock:u", &err), 0);
	if (recorder__run(&opts, &result, &err))
		TEST_SKIP("cannot record here: %s", err.text);
	event_list__free(&events);
	free(more_nice);
	TEST_EQ(result.exit_status, 0);
	return result;
}

static struct stitch_result stitch(const char *from, const char *to)
{
	struct stitch_opts opts = { .output = to };
	struct stitch_result result;
	struct error err = {};
	struct reader *r;

	TEST_EQ(reader__open(&r, from, false, &err), 0);
	if (stitch__run(r, &opts, &result, &err))
		TEST_FAIL("%s", err.text);
	reader__close(r);
	return result;
}

struct contents {
	u64 drained; /* records that the kernel made; ours have time 0 or none, or count losses */
	u64 samples, copies, chains;
};

static struct contents contents(const char *path)
{
	struct contents n = {};
	struct sample s;
	struct record rec;
	struct reader *r;
	u64 last = 0;

	TEST_EQ(reader__open(&r, path, false, NULL), 0);
	while (reader__next(r, &rec)) {
		if (!rec.time || rec.time == NO_TIME ||
		    rec.hdr->type == PERF_RECORD_LOST_SAMPLES)
			continue;
		n.drained++;
		TEST_TRUE(rec.time >= last);
		last = rec.time;
		if (rec.hdr->type != PERF_RECORD_SAMPLE)
			continue;
		TEST_EQ(sample__parse(&s, &rec), 0);
		n.samples++;
		n.copies += s.stack_room > 0;
		for (u64 i = 0; i < s.nr_chain; i++)
			if (s.chain[i] == ABI_CONTEXT_USER)
				n.chains++;
		/* One or the other, not both. */
		TEST_EQ(s.stack_room > 0, s.user_regs.abi != PERF_SAMPLE_REGS_ABI_NONE);
	}
	TEST_EQ(reader__account(r)->malformed, 0);
	reader__close(r);
	return n;
}

/* How many more stacks end so than when they were recorded. */
static u64 added(const struct stitch_result *done, const struct recorder_result *rec,
		 enum unwind_stop stop)
{
	TEST_TRUE(done->total.stop[stop] >= rec->account.stop[stop]);
	return done->total.stop[stop] - rec->account.stop[stop];
}

/* Of the copies that were unwound later, those that are neither whole nor too short, by reason. */
static u64 count_others(const struct stitch_result *done, const struct recorder_result *rec,
			char *text, size_t size)
{
	u64 nr = 0, n;
	size_t len = 0;

	for (int i = 0; i < UNWIND_STOP_NR; i++) {
		n = added(done, rec, i);
		if (!n || i == UNWIND_OUTERMOST || i == UNWIND_COPY_SHORT)
			continue;
		nr += n;
		len = min_of(len, size);
		len += snprintf(text + len, size - len, " %" PRIu64 " %s", n, unwind_stop__name(i));
	}
	return nr;
}

TEST_LIMIT(recorder_raw_through, "recorder: copies that there is no time to unwind are written", 60)
{
	struct recorder_result rec;
	struct stitch_result done;
	struct contents was, is;
	u64 stops[UNWIND_STOP_NR], others;
	char others_text[512];

	mapfile__init();
	rec = record_slowly();
	was = contents("raw.data");
	TEST_EQ(was.drained, rec.rings.records);
	TEST_EQ(was.samples, rec.samples);
	TEST_EQ(was.copies, rec.account.user_part[USER_PART_KEPT]);
	TEST_EQ(was.copies + was.chains, was.samples);
	TEST_EQ(rec.account.late, 0);
	TEST_TRUE(was.copies > 100 && was.chains > 100);
	TEST_TRUE(rec.rings.peak >= ARENA / 4 * 3 && rec.rings.peak <= ARENA);

	/* Exactly these are completed, and a second time there is nothing to do. */
	done = stitch("raw.data", "done.data");
	TEST_EQ(done.total.user_part[USER_PART_UNWOUND], was.samples);
	TEST_EQ(done.total.copies, was.copies);
	/* With a sanitizer the frames are larger than copies are. */
	others = count_others(&done, &rec, others_text, sizeof(others_text));
	if (others > was.copies / 10)
		TEST_FAIL("%" PRIu64 " of %" PRIu64 " copies:%s", others, was.copies, others_text);
	memcpy(stops, done.total.stop, sizeof(stops));
	stitch_result__free(&done);
	is = contents("done.data");
	TEST_EQ(is.samples, was.samples);
	TEST_EQ(is.chains, was.samples);
	TEST_EQ(is.copies, 0);
	done = stitch("done.data", "again.data");
	TEST_EQ(done.total.user_part[USER_PART_UNWOUND], was.samples);
	TEST_EQ(done.total.copies, 0);
	TEST_TRUE(!memcmp(stops, done.total.stop, sizeof(stops)));
	stitch_result__free(&done);
}
