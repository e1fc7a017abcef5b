/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs tests: unit tests compiled in (see test.h) and system tests, tests/shell/NAME.sh.
 *
 * Each test has a supervisor process, which makes an empty directory for it, runs it in a
 * process group of its own with its output kept in memory, and ends it with everything it has
 * started: at its time limit, and also when it returned. Nothing of a test survives it.
 *
 * A system test is a bash script. Its comment lines after the first may say
 *	# description: what the list shows
 *	# limit: 120           (seconds; 60 when it does not say)
 *	# exclusive            (nothing else runs at the same time)
 * and its exit status is 0, 1 (failed) or 77 (skipped; its last line of output is the reason).
 */
#ifndef PERF_TESTS_RUNNER_H
#define PERF_TESTS_RUNNER_H

#include "../util/base/error.h"
#include "../util/base/vec.h"
#include "test.h"

#define TEST_LIMIT_SEC 60

struct test_entry {
	const char *name, *description;
	void (*run)(void);   /* unit tests */
	const char *script;  /* system tests: path */
	unsigned int limit_sec;
	bool exclusive;
	bool selected;
};

struct test_suite {
	struct arena *arena;
	VEC(struct test_entry) tests; /* unit tests first; each kind sorted by name */
};

struct runner_opts {
	unsigned int jobs;
	bool verbose; /* print the output of every test, not just of those that failed */
};

struct runner_result {
	unsigned int passed, failed, skipped;
};

/* Finds all tests. -ENOENT with words when the directory of system tests is not there. */
int test_suite__init(struct test_suite *s, struct error *err);
void test_suite__exit(struct test_suite *s);

/*
 * Selects by name, glob, part of the name or description, or number ("3", "3-5"). Returns how
 * many tests the pattern chose.
 */
unsigned int test_suite__select(struct test_suite *s, const char *pattern);
void test_suite__select_all(struct test_suite *s);
void test_suite__list(const struct test_suite *s);

/* Runs the selected tests and prints a line for each, in order. 0 or -errno. */
int test_suite__run(struct test_suite *s, const struct runner_opts *opts,
		    struct runner_result *result);

#endif
