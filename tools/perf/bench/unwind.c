// SPDX-License-Identifier: GPL-2.0-only
#include "unwind.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>

#include "../util/base/clock.h"

static u64 timeval__ns(struct timeval tv)
{
	return tv.tv_sec * NSEC_PER_SEC + tv.tv_usec * 1000ULL;
}

/* CPU time and time of this process so far, added with @sign. */
static void bench__account(struct bench_unwind *b, int sign)
{
	struct rusage ru;

	getrusage(RUSAGE_SELF, &ru);
	b->user += sign * timeval__ns(ru.ru_utime);
	b->sys += sign * timeval__ns(ru.ru_stime);
	b->elapsed += sign * clock__now(CLOCK_MONOTONIC);
}

/* The least that anything has to do that looks at every record. */
static int bench__read(struct bench_unwind *b, const char *path, bool force, struct error *err)
{
	u64 start = clock__now(CLOCK_PROCESS_CPUTIME_ID);
	struct reader *r;
	struct record rec;
	int ret = reader__open(&r, path, force, err);

	if (ret)
		return ret;
	b->bytes = reader__size(r);
	while (reader__next(r, &rec) > 0)
		;
	reader__close(r);
	b->read_cpu = clock__now(CLOCK_PROCESS_CPUTIME_ID) - start;
	return 0;
}

static int bench__unwind(struct bench_unwind *b, const char *path, const char *unwind, bool force,
			 struct error *err)
{
	const struct pipeline_opts opts = { .unwind = unwind };
	struct pipeline *p;
	struct reader *r;
	int ret = reader__open(&r, path, force, err);

	if (ret)
		return ret;
	ret = pipeline__new(&p, reader__recording(r), &opts, err);
	if (!ret) {
		ret = pipeline__run(p, r, err);
		b->account = *pipeline__account(p);
		pipeline__free(p);
	}
	reader__close(r);
	return ret;
}

int bench_unwind__run(struct bench_unwind *b, const char *path, const char *unwind, bool force,
		      struct error *err)
{
	int ret;

	*b = (struct bench_unwind){};
	ret = bench__read(b, path, force, err);
	if (ret)
		return ret;
	bench__account(b, -1);
	ret = bench__unwind(b, path, unwind, force, err);
	bench__account(b, 1);
	for (int i = 0; i < UNWIND_METHOD_NR; i++)
		b->frames += b->account.frames[i];
	return ret;
}

static double per(u64 a, u64 b)
{
	return b ? (double)a / b : 0;
}

void bench_unwind__print(const struct bench_unwind *b)
{
	u64 samples = b->account.user_part[USER_PART_UNWOUND], cpu = b->user + b->sys;
	double sec = NSEC_PER_SEC;

	printf("%12" PRIu64 " samples with a stack copy, %" PRIu64 " frames, %.1f a sample\n",
	       samples, b->frames, per(b->frames, samples));
	printf("%12.3f s of CPU time (%.3f user, %.3f sys), %.3f s elapsed\n", cpu / sec,
	       b->user / sec, b->sys / sec, b->elapsed / sec);
	printf("%12.0f samples/s, %.0f frames/s of CPU time, %.0f MB/s\n",
	       per(samples, cpu) * sec, per(b->frames, cpu) * sec, per(b->bytes, cpu) * 1000);
	printf("%12.1f ns a frame; %.3f s for reading alone, then %.1f ns a frame\n",
	       per(cpu, b->frames), b->read_cpu / sec,
	       per(cpu - min_of(cpu, b->read_cpu), b->frames));
	for (int i = 0; i < UNWIND_METHOD_NR; i++)
		if (b->account.frames[i])
			printf("%12" PRIu64 " frames by %s\n", b->account.frames[i],
			       unwind_method__name(i));
	for (int i = 0; i < UNWIND_STOP_NR; i++)
		if (b->account.stop[i])
			printf("%12" PRIu64 " samples end: %s\n", b->account.stop[i],
			       unwind_stop__name(i));
}
