// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a recording with deferred callchains writes: real ones of a 7.2 kernel go through the live
 * pipeline into a file, with and without room to wait. Whoever reads it sees the same chains.
 */
#include "../../util/pipeline/pipeline.h"
#include "../../util/sink/file-sink.h"
#include "../lib/replay.h"
#include "../test.h"

static void record_live(const char *from, const char *to, u64 max_pending,
			struct pipeline_account *account)
{
	struct writer_opts out = { .path = to };
	struct pipeline_opts opts = {
		.max_pending = max_pending, .symbols.binary.live = true,
	};
	struct recording *written;
	struct error err = {};
	struct file_sink sink;
	struct pipeline *p;
	struct reader *r;

	file_sink__init(&sink);
	sink.stitch = sink.live = true;
	opts.sink = file_sink__ops(&sink);
	TEST_EQ(reader__open(&r, from, false, &err), 0);
	written = recording__copy(reader__recording(r), NULL, NULL);
	TEST_EQ(writer__open(&sink.writer, &out, written, &err), 0);
	TEST_EQ(pipeline__new(&p, reader__recording(r), &opts, &err), 0);
	TEST_EQ(replay__run(p, r, 0), 0);
	file_sink__describe(&sink, written);
	TEST_EQ(writer__finish(sink.writer, &err), 0);
	*account = *pipeline__account(p);
	pipeline__free(p);
	file_sink__free(&sink);
	recording__free(written);
	reader__close(r);
}

static void log_file(const char *path, struct sample_log *log)
{
	struct pipeline_opts opts = { .sink = sample_log__sink(log) };
	struct error err = {};
	struct pipeline *p;
	struct reader *r;

	*log = (struct sample_log){};
	TEST_EQ(reader__open(&r, path, false, &err), 0);
	TEST_EQ(pipeline__new(&p, reader__recording(r), &opts, &err), 0);
	TEST_EQ(pipeline__run(p, r, &err), 0);
	sample_log__forget_order(log); /* of d.data: see deferred-recordings.c */
	pipeline__free(p);
	reader__close(r);
}

/* What is in a file that only somebody who knows deferred callchains understands. */
static void count_deferred(const char *path, u64 *bits, u64 *samples, u64 *records)
{
	struct record rec;
	struct reader *r;
	const u64 *chain;
	u64 nr;

	*bits = *samples = *records = 0;
	TEST_EQ(reader__open(&r, path, false, NULL), 0);
	for (size_t i = 0; i < reader__recording(r)->events.nr; i++) {
		const struct perf_event_attr *attr = &reader__recording(r)->events.v[i]->attr;

		*bits += attr__test_bit(attr, ATTR_BIT_DEFER_CALLCHAIN);
		*bits += attr__test_bit(attr, ATTR_BIT_DEFER_OUTPUT);
	}
	while (reader__next(r, &rec)) {
		*records += rec.hdr->type == ABI_RECORD_CALLCHAIN_DEFERRED;
		if (rec.hdr->type != PERF_RECORD_SAMPLE || sample__chain(&rec, &chain, &nr))
			continue;
		*samples += deferred__split(chain, nr).marked;
	}
	reader__close(r);
}

static void check(const char *file, bool waits)
{
	struct sample_log before, merged, tight;
	struct pipeline_account account;
	u64 bits, samples, records;
	const char *path = test__unzstd(file);

	log_file(path, &before);
	record_live(path, "merged.data", 0, &account);
	TEST_EQ(account.deferred[DEFERRED_PASSED], 0);
	count_deferred("merged.data", &bits, &samples, &records);
	TEST_EQ(bits + samples + records, 0);
	log_file("merged.data", &merged);
	sample_log__expect_same(&before, &merged);

	record_live(path, "tight.data", 4096, &account);
	count_deferred("tight.data", &bits, &samples, &records);
	TEST_EQ(samples, account.deferred[DEFERRED_PASSED]);
	printf("%s: %" PRIu64 " samples passed, with %" PRIu64 " records\n", file, samples,
	       records);
	TEST_EQ(!!samples, waits);
	TEST_EQ(!!bits, samples || records);
	TEST_TRUE(records <= samples);
	log_file("tight.data", &tight);
	sample_log__expect_same(&before, &tight);
	vec__free(&before.v);
	vec__free(&merged.v);
	vec__free(&tight.v);
}

TEST_LIMIT(live_merge, "perf record: deferred callchains are merged before they are written", 60)
{
	if (test__share(2) == 1) { /* these have half of the samples */
		check("deferred/b.data", true);
		check("deferred/d.data", true);
	}
	check("deferred/a.data", true);
	check("deferred/c.data", true);
	check("deferred/e2.data", true);
	check("deferred/f2.data", true);
	check("deferred/s2.data", true);
	check("deferred/a-ref.data", false);
}
