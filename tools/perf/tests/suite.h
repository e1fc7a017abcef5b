/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests there are, and which of them were asked for.
 *
 * Each test belongs to a group, which is the folder that it is in: tests that are compiled in
 * (see test.h) to "unit", "fuzz", or "lib/NAME" for those of tools/lib/NAME; scripts to "source",
 * "shell", or "shell/AREA" for those of tests/shell/AREA. No test has the name of a group.
 */
#ifndef PERF_TESTS_SUITE_H
#define PERF_TESTS_SUITE_H

#include "../util/base/error.h"
#include "../util/base/vec.h"
#include "test.h"

#define TEST_LIMIT_SEC 60

struct test_entry {
	const char *name, *description, *group;
	void (*run)(void);   /* unit tests */
	const char *script;  /* system tests: path */
	unsigned int limit_sec;
	bool exclusive;
	bool selected;
};

struct test_suite {
	struct arena *arena;
	VEC(struct test_entry) tests; /* unit tests first; each kind sorted by group and name */
};

/*
 * Finds all tests, or only those that are compiled in. -ENOENT with words when the directory of
 * the system tests is not there.
 */
int test_suite__init(struct test_suite *s, bool system_tests, struct error *err);
void test_suite__exit(struct test_suite *s);

/*
 * Selects by number ("3", "3-5"); by group ("unit", "shell/record", "shell" for all that begin with
 * "shell/"); by name; by a glob, of GROUP/NAME where it has a slash; or by a part of the name or
 * description: the first of these that chooses any. Returns how many tests the pattern chose.
 */
unsigned int test_suite__select(struct test_suite *s, const char *pattern);
void test_suite__select_all(struct test_suite *s);

/* Takes back what the patterns choose, which a comma separates. -ENOENT with words: none. */
int test_suite__skip(struct test_suite *s, const char *patterns, struct error *err);

/* Prints what is selected, by groups. */
void test_suite__list(const struct test_suite *s);

#endif
