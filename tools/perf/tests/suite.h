/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests there are, unit tests compiled in (see test.h) and system tests in tests/shell, and
 * which of them were asked for.
 */
#ifndef PERF_TESTS_SUITE_H
#define PERF_TESTS_SUITE_H

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

/*
 * Finds all tests, or all unit tests. -ENOENT with words when the directory of system tests is
 * not there.
 */
int test_suite__init(struct test_suite *s, bool system_tests, struct error *err);
void test_suite__exit(struct test_suite *s);

/*
 * Selects by name, glob, part of the name or description, or number ("3", "3-5"). Returns how
 * many tests the pattern chose.
 */
unsigned int test_suite__select(struct test_suite *s, const char *pattern);
void test_suite__select_all(struct test_suite *s);
void test_suite__list(const struct test_suite *s);

#endif
