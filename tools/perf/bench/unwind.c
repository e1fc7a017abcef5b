// SPDX-License-Identifier: GPL-2.0-only
#include "unwind.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../util/base/clock.h"
#include "../util/io/private-dir.h"
#include "../util/complete/rows-dir.h"

static u64 timeval__ns(struct timeval tv)
{
	return tv.tv_sec * NSEC_PER_SEC + tv.tv_usec * 1000ULL;
}

/* Adds CPU time and elapsed time of this process so far, with @sign. */
static void run__account(struct bench_run *r, int sign)
{
	struct rusage ru;

	getrusage(RUSAGE_SELF, &ru);
	r->user += sign * timeval__ns(ru.ru_utime);
	r->sys += sign * timeval__ns(ru.ru_stime);
	r->elapsed += sign * clock__now(CLOCK_MONOTONIC);
}

/* Measures the reading of all records alone. */
static int bench__read(struct bench_unwind *b, const char *path, bool force, struct error *err)
{
	u64 start = clock__now(CLOCK_PROCESS_CPUTIME_ID);
	struct reader *r;
	struct record rec;
	int ret = reader__open(&r, path, force, err);

	if (ret)
		return ret;
	b->bytes = reader__size(r);
	while (reader__next(r, &rec))
		;
	reader__close(r);
	b->read_cpu = clock__now(CLOCK_PROCESS_CPUTIME_ID) - start;
	return 0;
}

static int note_record(void *ctx, const struct record *rec __unused_arg)
{
	struct bench_run *r = ctx;

	r->began = r->began ?: clock__now(CLOCK_MONOTONIC);
	return 0;
}

static int note_sample(void *ctx, const struct whole_sample *ws)
{
	struct bench_run *r = ctx;

	if (!r->first && r->began && ws->user_part == USER_PART_UNWOUND)
		r->first = clock__now(CLOCK_MONOTONIC) - r->began;
	return 0;
}

static int run__unwind(struct bench_run *run, struct pipeline_opts opts, const char *path,
		       bool force, struct pipeline_account *account, struct error *err)
{
	struct pipeline *p;
	struct reader *r;
	int ret;

	*run = (struct bench_run){};
	opts.sink = (struct sink){
		.sample = note_sample, .record = note_record, .ctx = run,
	};
	run__account(run, -1);
	ret = reader__open(&r, path, force, err);
	if (ret)
		return ret;
	ret = pipeline__new(&p, reader__recording(r), &opts, err);
	if (!ret) {
		ret = pipeline__run(p, r, err);
		*account = *pipeline__account(p);
		pipeline__free(p);
	}
	reader__close(r);
	run__account(run, 1);
	return ret;
}

static int count_kept(void *ctx, const char *name __unused_arg, const struct stat *st)
{
	struct bench_unwind *b = ctx;

	b->kept_files++;
	b->kept_bytes += st->st_size;
	return 0;
}

static int remove_kept(void *ctx, const char *name, const struct stat *st __unused_arg)
{
	return private_dir__remove(*(int *)ctx, name);
}

/* Counts the files of tables, and removes them with the directory. */
static void bench__clean(struct bench_unwind *b, const char *dir,
			 const struct binary_opts *binary)
{
	int fd = rows_dir__open(binary, NULL);
	char path[PATH_MAX + 16];

	if (fd >= 0) {
		private_dir__for_each(fd, count_kept, b);
		private_dir__for_each(fd, remove_kept, &fd);
		close(fd);
	}
	snprintf(path, sizeof(path), "%s/.unwind", dir);
	rmdir(path);
	rmdir(dir);
}

/* Runs once to make the tables, and once with them. */
static int bench__kept(struct bench_unwind *b, const char *path, const char *unwind, bool force,
		       struct error *err)
{
	const char *tmp = getenv("TMPDIR");
	char dir[PATH_MAX];
	struct pipeline_opts opts = { .unwind = unwind, .symbols.binary.buildid_dir = dir };
	struct pipeline_account account;
	int ret;

	tmp = tmp && *tmp ? tmp : "/tmp";
	if ((size_t)snprintf(dir, sizeof(dir), "%s/perf-bench-XXXXXX", tmp) >= sizeof(dir) ||
	    !mkdtemp(dir))
		return error__set(err, -errno, "cannot make a directory in $TMPDIR");
	ret = run__unwind(&b->kept, opts, path, force, &account, err);
	if (!ret)
		ret = run__unwind(&b->kept, opts, path, force, &account, err);
	bench__clean(b, dir, &opts.symbols.binary);
	return ret;
}

int bench_unwind__run(struct bench_unwind *b, const char *path, const char *unwind, bool force,
		      struct error *err)
{
	struct pipeline_opts opts = { .unwind = unwind, .symbols.binary.no_unwind_cache = true };
	int ret;

	*b = (struct bench_unwind){};
	ret = bench__read(b, path, force, err);
	if (!ret)
		ret = run__unwind(&b->run, opts, path, force, &b->account, err);
	for (int i = 0; i < UNWIND_METHOD_NR; i++)
		b->frames += b->account.frames[i];
	if (!ret && (!unwind || strcmp(unwind, "libdw")))
		ret = bench__kept(b, path, unwind, force, err);
	return ret;
}

static double per(u64 a, u64 b)
{
	return b ? (double)a / b : 0;
}

void bench_unwind__print(const struct bench_unwind *b)
{
	u64 samples = b->account.user_part[USER_PART_UNWOUND], cpu = b->run.user + b->run.sys;
	double sec = NSEC_PER_SEC, ms = sec / 1000;

	printf("%12" PRIu64 " samples with a stack copy, %" PRIu64 " frames, %.1f a sample\n",
	       samples, b->frames, per(b->frames, samples));
	printf("%12.3f s of CPU time (%.3f user, %.3f sys), %.3f s elapsed\n", cpu / sec,
	       b->run.user / sec, b->run.sys / sec, b->run.elapsed / sec);
	printf("%12.0f samples/s, %.0f frames/s of CPU time, %.0f MB/s\n",
	       per(samples, cpu) * sec, per(b->frames, cpu) * sec, per(b->bytes, cpu) * 1000);
	printf("%12.1f ns a frame; %.3f s for reading only, then %.1f ns a frame\n",
	       per(cpu, b->frames), b->read_cpu / sec,
	       per(cpu - min_of(cpu, b->read_cpu), b->frames));
	if (b->run.first)
		printf("%12.3f ms to the first stack\n", b->run.first / ms);
	if (b->kept_files)
		printf("%12.3f s of CPU time with rows from disk (%" PRIu64 " kB in %" PRIu64
		       " files), %.3f ms to the first stack\n",
		       (b->kept.user + b->kept.sys) / sec, b->kept_bytes >> 10, b->kept_files,
		       b->kept.first / ms);
	for (int i = 0; i < UNWIND_METHOD_NR; i++)
		if (b->account.frames[i])
			printf("%12" PRIu64 " frames by %s\n", b->account.frames[i],
			       unwind_method__name(i));
	for (int i = 0; i < UNWIND_STOP_NR; i++)
		if (b->account.stop[i])
			printf("%12" PRIu64 " samples end: %s\n", b->account.stop[i],
			       unwind_stop__name(i));
}
