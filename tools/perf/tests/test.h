/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unit tests, collected by the linker: a file tests/NAME.c with
 *
 *	TEST(order_equal_times, "order: equal times keep the order of arrival")
 *	{
 *		...
 *		TEST_EQ(nr, 3);
 *	}
 *
 * is all there is to it. Each test runs in a process of its own, in an empty directory that is
 * removed afterwards, with a time limit. A failed check prints file, line and both values and
 * ends the test; TEST_SKIP() says why and ends it, too.
 */
#ifndef PERF_TESTS_TEST_H
#define PERF_TESTS_TEST_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/unwind/core/types.h"

enum { TEST_EXIT_PASS = 0, TEST_EXIT_FAIL = 1, TEST_EXIT_SKIP = 77 };

struct test_case {
	const char *name;        /* C identifier: what `perf test NAME` matches */
	const char *description;
	const char *file;        /* of the source; its folder is the group */
	void (*run)(void);
	unsigned int limit_sec;  /* 0: the default */
};

#define TEST_LIMIT(id, text, limit)                                                   \
	static void test_##id(void);                                                  \
	static const struct test_case test_case_##id = {                              \
		.name = #id, .description = text, .file = __FILE__, .run = test_##id,         \
		.limit_sec = limit };                                                         \
	__attribute__((section("perf_tests"), used, retain))                          \
	static const struct test_case *const test_ptr_##id = &test_case_##id;         \
	static void test_##id(void)
#define TEST(id, text) TEST_LIMIT(id, text, 0)

_Noreturn void test__fail(const char *file, int line, const char *fmt, ...) __printf_like(3, 4);
_Noreturn void test__skip(const char *fmt, ...) __printf_like(1, 2);

#define TEST_FAIL(...) test__fail(__FILE__, __LINE__, __VA_ARGS__)
#define TEST_SKIP(...) test__skip(__VA_ARGS__)

#define TEST_TRUE(cond)                                                               \
	do {                                                                          \
		if (!(cond))                                                          \
			TEST_FAIL("%s does not hold", #cond);                         \
	} while (0)

#define TEST_EQ(a, b)                                                                 \
	do {                                                                          \
		s64 _x = (s64)(a), _y = (s64)(b);                                     \
		if (_x != _y)                                                         \
			TEST_FAIL("%s is %" PRId64 " (%#" PRIx64 "), expected %s = %" PRId64, \
				  #a, _x, _x, #b, _y);                                \
	} while (0)

#define TEST_STR(a, b)                                                                \
	do {                                                                          \
		const char *_x = (a), *_y = (b);                                      \
		if (!_x || !_y || strcmp(_x, _y))                                     \
			TEST_FAIL("%s is \"%s\", expected \"%s\"", #a, _x ? _x : "(null)", \
				  _y ? _y : "(null)");                                \
	} while (0)

/*
 * For what holds of very many cases: which share of them a test tries.
 * @n: one in @n, unless `perf test --thorough` runs it
 * Returns: @n, or 1: all of them.
 */
u32 test__share(u32 n);

/* Path of a file in tests/data of the source or installed tree (static buffer). */
const char *test__data(const char *name);

/* Unpacks tests/data/NAME.zst into the present directory; the copy has the basename (static). */
const char *test__unzstd(const char *name);

/* Copies tests/data/NAME there, where it can be executed; returns "./basename" (static). */
const char *test__program(const char *name);

#endif
