// SPDX-License-Identifier: GPL-2.0-only
/* perf bench: measures the speed of this perf. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/deferred-file.h"
#include "bench/stitch.h"
#include "bench/unwind.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/option-forms.h"
#include "util/cli/options.h"

struct bench {
	const char *unwind, *write;
	unsigned int repeat, threads;
	u64 samples;
	bool force;
};

static const char *const bench_usage[] = {
	"perf bench [<options>] unwind [<file>]",
	"perf bench [<options>] stitch [<file>]",
	NULL,
};

static int by_cpu(const void *a, const void *b)
{
	const struct bench_unwind *x = a, *y = b;
	u64 cpu_x = x->run.user + x->run.sys, cpu_y = y->run.user + y->run.sys;

	return cpu_x < cpu_y ? -1 : cpu_x > cpu_y;
}

static int run_unwind(const struct bench *b, const char *path, struct error *err)
{
	struct bench_unwind *runs = xcalloc(b->repeat, sizeof(*runs));
	int ret = 0;

	for (unsigned int i = 0; i < b->repeat && !ret; i++)
		ret = bench_unwind__run(&runs[i], path ?: "perf.data", b->unwind, b->force, err);
	if (!ret) {
		qsort(runs, b->repeat, sizeof(*runs), by_cpu);
		bench_unwind__print(&runs[b->repeat / 2]);
	}
	free(runs);
	return ret;
}

static int run_stitch(const struct bench *b, const char *path, struct error *err)
{
	struct deferred_file file = { .sleepers = b->threads, .samples = b->samples };
	struct bench_stitch result;
	int ret;

	if (b->write)
		return deferred_file__write(&file, b->write, err);
	if (!path)
		return bench_stitch__curve(b->samples, b->repeat, err);
	ret = bench_stitch__run(&result, path, b->repeat, b->force, err);
	if (!ret)
		bench_stitch__print(&result);
	return ret;
}

enum form { UNWIND = 1, CURVE = 2, RECORDING = 4, WRITE = 8 };

static const struct option_effect effects[] = {
	{ "repeat", UNWIND | CURVE | RECORDING }, { "unwind", UNWIND },
	{ "samples", CURVE | WRITE }, { "threads", WRITE }, { "write", WRITE },
	{ "force", UNWIND | RECORDING },
};

static const struct option_forms forms = {
	.command = "bench", .effects = effects, .nr_effects = ARRAY_SIZE(effects),
};

/* @unwind: the benchmark of that name */
static void check_form(const struct bench *b, bool unwind, const char *path,
		       const struct option *options, const bool *given)
{
	enum form form = unwind ? UNWIND : b->write ? WRITE : path ? RECORDING : CURVE;

	if (form == WRITE && path)
		usage__die(options, bench_usage, "--write measures nothing: leave out '%s'", path);
	option_forms__check(&forms, form, unwind ? "unwind" : b->write ? "--write" :
			    path ? "stitch of a file" : "stitch", options, bench_usage, given);
}

int cmd_bench(int argc, const char **argv)
{
	struct bench b = { .repeat = 1, .threads = 1500, .samples = 500000 };
	const struct option options[] = {
		OPT_UINT('r', "repeat", &b.repeat, "n",
			 "run <n> times and print the median run, for stitch the best one (1)"),
		OPT_UNWIND_SOURCES(b.unwind),
		OPT_U64(0, "samples", &b.samples, "n",
			"stitch: samples in each generated recording (500000)"),
		OPT_UINT(0, "threads", &b.threads, "n", "--write: threads that sleep in the "
			 "generated recording (1500)"),
		OPT_STRING(0, "write", &b.write, "file", "stitch: write a generated recording to "
			   "this file, measure nothing"),
		OPT_BOOL('f', "force", &b.force, "read recordings that belong to other users"),
		OPT_END(),
	};
	struct error err = {};
	const char *path;
	int ret;

	bool given[ARRAY_SIZE(options)] = {};

	argc = options__parse_given(argc, argv, options, bench_usage, 0, given);
	if (!argc || argc > 2 || (strcmp(argv[0], "unwind") && strcmp(argv[0], "stitch")))
		usage__die(options, bench_usage, "name one benchmark: unwind or stitch");
	if (!b.repeat || b.repeat > 1000)
		usage__die(options, bench_usage, "--repeat must be a number from 1 to 1000");
	path = argc == 2 ? argv[1] : NULL;
	check_form(&b, !strcmp(argv[0], "unwind"), path, options, given);
	ret = strcmp(argv[0], "stitch") ? run_unwind(&b, path, &err) : run_stitch(&b, path, &err);
	if (ret)
		pr_err("%s\n", err.text);
	return ret ? 1 : 0;
}
