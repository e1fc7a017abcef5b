// SPDX-License-Identifier: GPL-2.0-only
#include "stitch.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "../util/base/clock.h"
#include "deferred-file.h"

static int run_once(struct bench_stitch *b, const char *path, bool joined, bool force,
		    struct error *err)
{
	const struct pipeline_opts opts = { .keep_deferred = !joined };
	u64 start = clock__now(CLOCK_PROCESS_CPUTIME_ID), cpu;
	u64 *best = joined ? &b->joined_cpu : &b->plain_cpu;
	struct pipeline *p;
	struct reader *r;
	int ret = reader__open(&r, path, force, err);

	if (ret)
		return ret;
	b->bytes = reader__size(r);
	ret = pipeline__new(&p, reader__recording(r), &opts, err);
	if (!ret) {
		ret = pipeline__run(p, r, err);
		if (joined)
			b->account = *pipeline__account(p);
		pipeline__free(p);
	}
	reader__close(r);
	cpu = clock__now(CLOCK_PROCESS_CPUTIME_ID) - start;
	*best = *best ? min_of(*best, cpu) : cpu;
	return ret;
}

int bench_stitch__run(struct bench_stitch *b, const char *path, unsigned int repeat, bool force,
		      struct error *err)
{
	int ret = 0;

	*b = (struct bench_stitch){};
	for (unsigned int i = 0; i < repeat && !ret; i++) {
		ret = run_once(b, path, false, force, err);
		if (!ret)
			ret = run_once(b, path, true, force, err);
	}
	return ret;
}

static double per(double a, u64 b)
{
	return b ? a / (double)b : 0;
}

void bench_stitch__print(const struct bench_stitch *b)
{
	u64 records = b->account.deferred_stats.records;
	u64 matched = b->account.user_part[USER_PART_DEFERRED];
	double more = (double)b->joined_cpu - (double)b->plain_cpu;

	printf("%12" PRIu64 " samples, %" PRIu64 " deferred records, %.1f MB\n",
	       b->account.samples, records, b->bytes / 1e6);
	printf("%12.3f s of CPU time without joining, %.3f s with it: %+.0f %%\n",
	       b->plain_cpu / 1e9, b->joined_cpu / 1e9, per(100 * more, b->plain_cpu));
	printf("%12.1f ns more per joined sample, %" PRIu64 " of them\n", per(more, matched),
	       matched);
}

int bench_stitch__curve(u64 samples, unsigned int repeat, struct error *err)
{
	static const u32 sleepers[] = { 10, 100, 1000, 5000, 20000 };
	const char *dir = getenv("TMPDIR") ?: "/tmp";
	char *path = xasprintf("%s/perf-bench-XXXXXX", dir);
	int fd = mkstemp(path), ret = 0;

	if (fd < 0)
		ret = error__set(err, -errno, "cannot make a file in %s", dir);
	else
		close(fd);
	printf("%8s %10s %10s %12s %12s %6s\n", "waiting", "samples", "MB", "unjoined s",
	       "joined s", "more");
	for (size_t i = 0; i < ARRAY_SIZE(sleepers) && !ret; i++) {
		struct deferred_file file = { .sleepers = sleepers[i], .samples = samples };
		struct bench_stitch b;

		ret = deferred_file__write(&file, path, err);
		if (!ret)
			ret = bench_stitch__run(&b, path, repeat, true, err);
		if (ret)
			break;
		printf("%8u %10" PRIu64 " %10.1f %12.3f %12.3f %+5.0f%%\n", sleepers[i],
		       b.account.samples, b.bytes / 1e6, b.plain_cpu / 1e9, b.joined_cpu / 1e9,
		       per(100.0 * ((double)b.joined_cpu - (double)b.plain_cpu), b.plain_cpu));
	}
	if (fd >= 0)
		unlink(path);
	free(path);
	return ret;
}
