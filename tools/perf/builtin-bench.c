// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/unwind.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/options.h"

static const char *const bench_usage[] = {
	"perf bench [<options>] unwind [<file>]",
	NULL,
};

static int by_cpu(const void *a, const void *b)
{
	const struct bench_unwind *x = a, *y = b;
	u64 cpu_x = x->user + x->sys, cpu_y = y->user + y->sys;

	return cpu_x < cpu_y ? -1 : cpu_x > cpu_y;
}

int cmd_bench(int argc, const char **argv)
{
	const char *unwind = NULL, *path;
	unsigned int repeat = 1;
	bool force = false;
	const struct option options[] = {
		OPT_UINT('r', "repeat", &repeat, "n", "Run n times and print the median run (1)"),
		OPT_STRING(0, "unwind", &unwind, "list",
			   "Unwind by: sframe,eh_frame,fp (default), or libdw"),
		OPT_BOOL('f', "force", &force, "Read recordings of other users"),
		OPT_END(),
	};
	struct bench_unwind *runs;
	struct error err = {};
	int ret = 0;

	argc = options__parse(argc, argv, options, bench_usage, 0);
	if (!argc || argc > 2 || strcmp(argv[0], "unwind"))
		usage__die(options, bench_usage, "which benchmark? There is: unwind");
	if (!repeat || repeat > 1000)
		usage__die(options, bench_usage, "--repeat takes a number from 1 to 1000");
	path = argc == 2 ? argv[1] : "perf.data";
	runs = calloc(repeat, sizeof(*runs));
	if (!runs)
		return 1;
	for (unsigned int i = 0; i < repeat && !ret; i++)
		ret = bench_unwind__run(&runs[i], path, unwind, force, &err);
	if (ret) {
		pr_err("%s\n", err.text);
	} else {
		qsort(runs, repeat, sizeof(*runs), by_cpu);
		bench_unwind__print(&runs[repeat / 2]);
	}
	free(runs);
	return ret ? 1 : 0;
}
