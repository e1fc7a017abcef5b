/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs tests.
 *
 * Each test has a supervisor process, which makes an empty directory for it, runs it in a
 * process group of its own with its output kept in memory, and ends it with everything it has
 * started: at its time limit, and also when it returned. Nothing of a test survives it.
 *
 * What several tests need can be made once: $PERF_TEST_SHARED is a directory of this run, which is
 * removed when all of its processes have ended, by a signal too (see shared() in shell/lib.sh).
 *
 * A system test is a bash script. Its comment lines after the first may say
 *	# description: what the list shows
 *	# limit: 120           (seconds; 60 when it does not say; more on a busy machine)
 *	# exclusive            (nothing else runs at the same time)
 * and its exit status is 0, 1 (failed) or 77 (skipped; its last line of output is the reason).
 */
#ifndef PERF_TESTS_RUNNER_H
#define PERF_TESTS_RUNNER_H

#include "suite.h"

#define TEST_THOROUGH "PERF_TEST_THOROUGH" /* set in the environment of tests when it is so */

struct runner_opts {
	unsigned int jobs;
	bool verbose; /* print the output of every test, not just of those that failed */
	bool thorough; /* all cases of tests with very many, of which they try a share otherwise */
	bool times;   /* list all tests by the CPU time that they used */
	bool retry;   /* a test that failed, without a crash, runs once more by itself at the end */
};

struct runner_result {
	unsigned int passed, failed, skipped;
};

/*
 * Runs the selected tests and prints a line for each, in order, below headings with their groups,
 * and a line for each group at the end. What is tried again counts as what became of it then, and
 * is named with the reason for which it had failed. 0 or -errno.
 */
int test_suite__run(struct test_suite *s, const struct runner_opts *opts,
		    struct runner_result *result);

#endif
