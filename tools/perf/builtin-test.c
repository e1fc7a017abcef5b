// SPDX-License-Identifier: GPL-2.0-only
/* perf test: runs tests, and workloads for them. */
#include <stdio.h>
#include <unistd.h>

#include "builtin.h"
#include "tests/runner.h"
#include "tests/workloads/workload.h"
#include "util/base/log.h"
#include "util/cli/options.h"

static const char *const test_usage[] = {
	"perf test [<options>] [list] [<group, name, pattern or number>...]",
	"perf test -w <workload> [<arguments>...]",
	NULL,
};

int cmd_test(int argc, const char **argv)
{
	/* Tests wait for a part of their time: for programs that they start and for the disk. */
	struct runner_opts opts = { .jobs = sysconf(_SC_NPROCESSORS_ONLN) + 1 };
	const char *workload = NULL, *skip = NULL;
	bool unit = false, list = false, sequential = false, workloads = false;
	const struct option options[] = {
		OPT_BOOL('v', "verbose", &opts.verbose, "show the output of passed tests, too"),
		OPT_UINT('j', "jobs", &opts.jobs, "n", "run this many tests at a time (one more "
			 "than there are CPUs)"),
		OPT_BOOL('l', "list", &list, "show the tests by groups, and run none"),
		OPT_BOOL('S', "sequential", &sequential, "run one test at a time, as -j 1"),
		OPT_BOOL('F', "dont-fork", &sequential, "the same as -S"),
		OPT_BOOL(0, "retry", &opts.retry,
			 "run failed tests once more at the end, each alone"),
		OPT_STRING('s', "skip", &skip, "list", "leave out these groups and tests: names, "
			   "patterns or numbers with commas between them"),
		OPT_BOOL(0, "thorough", &opts.thorough, "try all cases of tests that have very "
							"many, instead of a part; "
							"PERF_TEST_THOROUGH=1 does the same"),
		OPT_BOOL(0, "times", &opts.times, "list the tests by the CPU time that they used"),
		OPT_BOOL('u', "unit", &unit, "run only the tests that are compiled in"),
		OPT_STRING('w', "workload", &workload, "name",
			   "run a built-in workload: a small program to profile"),
		OPT_BOOL(0, "list-workloads", &workloads, "print the names of the workloads"),
		OPT_END(),
	};
	struct runner_result result = {};
	struct test_suite suite;
	struct error err = {};
	int ret;

	argc = options__parse(argc, argv, options, test_usage, PARSE_STOP_AT_NON_OPTION);
	if (workloads) {
		workload__list();
		return 0;
	}
	if (workload)
		return workload__run(workload, argc, argv);
	if (!opts.jobs)
		usage__die(options, test_usage, "-j must be at least 1");
	if (sequential)
		opts.jobs = 1;
	if (test_suite__init(&suite, !unit, &err)) {
		error__hint(&err, "perf test -u runs the unit tests only");
		pr_err("%s\n", err.text);
		test_suite__exit(&suite);
		return 1;
	}
	if (argc && !strcmp(argv[0], "list")) {
		list = true;
		argc--;
		argv++;
	}
	for (int i = 0; i < argc; i++)
		if (!test_suite__select(&suite, argv[i]))
			usage__die(options, test_usage,
				   "no test matches '%s'; see 'perf test list'", argv[i]);
	if (!argc)
		test_suite__select_all(&suite);
	if (skip && test_suite__skip(&suite, skip, &err))
		usage__die(options, test_usage, "%s; see 'perf test list'", err.text);
	if (list) {
		test_suite__list(&suite);
		test_suite__exit(&suite);
		return 0;
	}
	ret = test_suite__run(&suite, &opts, &result);
	if (ret)
		pr_err("cannot run the tests: %s\n", strerror(-ret));
	test_suite__exit(&suite);
	if (ret || result.failed)
		return 1;
	return result.passed ? 0 : TEST_EXIT_SKIP; /* without any test passed it is not a success */
}
