// SPDX-License-Identifier: GPL-2.0-only
/* What a record of an impossible time does to a whole pipeline: nothing, wherever it comes from. */
#include <sys/stat.h>
#include <unistd.h>

#include "../../util/io/mapfile.h"
#include "../lib/builder.h"
#include "../lib/replay.h"
#include "../test.h"

#define SECOND 1000000000ull
#define ROUNDS 10
#define SAMPLES 40 /* of a round */

struct times {
	u64 last, samples;
	bool sorted;
};

static int on_sample(void *ctx, const struct whole_sample *ws)
{
	struct times *t = ctx;

	t->sorted &= ws->s->time >= t->last;
	t->last = ws->s->time;
	t->samples++;
	return 0;
}

/* Samples of two CPUs, and in some rounds a name that was given in two days. */
static struct builder *with_odd_times(void)
{
	struct perf_event_attr attr = BUILDER_ATTR;
	struct sample s = { .misc = PERF_RECORD_MISC_USER, .ip = 0x5000, .period = 1 };
	struct builder *b = builder__new();
	u32 ev = builder__event(b, &attr, "cpu-clock", (u64[]){ 11 }, 1);

	for (u32 round = 0; round < ROUNDS; round++) {
		for (u32 i = 0; i < SAMPLES; i++) {
			if (i == 7 && round % 4 == 0) {
				builder__at(b, 100, 100, 0, (140735 + round) * SECOND);
				builder__comm(b, "odd", false);
			}
			builder__at(b, 100, 100, i / 20,
				    5000 * SECOND + (round * 20 + i % 20) * SECOND / 200 + i / 20);
			builder__sample(b, ev, &s);
		}
		builder__round(b);
	}
	return b;
}

static struct pipeline_account run(const char *path, bool live, bool stream)
{
	struct times times = { .sorted = true };
	struct pipeline_opts opts = {
		.sink = { .sample = on_sample, .ctx = &times }, .symbols.binary.live = live,
	};
	struct pipeline_account account;
	struct error err = {};
	struct pipeline *p;
	struct reader *r;

	TEST_EQ((stream ? reader__open_live : reader__open)(&r, path, false, &err), 0);
	TEST_EQ(reader__is_stream(r), stream);
	TEST_EQ(pipeline__new(&p, reader__recording(r), &opts, &err), 0);
	TEST_EQ(live ? replay__run(p, r, 0) : pipeline__run(p, r, &err), 0);
	account = *pipeline__account(p);
	TEST_EQ(times.samples, ROUNDS * SAMPLES);
	TEST_TRUE(times.sorted);
	TEST_EQ(account.late, 0);
	pipeline__free(p);
	reader__close(r);
	return account;
}

TEST(order_odd_times, "pipeline: an impossible time changes no other record's place, live or not")
{
	struct builder *b = with_odd_times();

	mapfile__init();
	builder__save(b, "perf.data");
	TEST_EQ(mkfifo("pipe", 0600), 0);
	if (!fork()) {
		builder__save_pipe(b, "pipe");
		_exit(0);
	}
	builder__free(b);
	/* Those of the rounds 0 and 4; the last one is held to the end. */
	TEST_EQ(run("perf.data", true, false).odd, 2);
	TEST_EQ(run("pipe", false, true).odd, 2);
	TEST_EQ(run("perf.data", false, false).odd, 0);
}
