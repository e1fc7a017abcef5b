/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * A test program is a table of functions that return true when all is well. It prints TAP, and
 * exits with 0 passed or 1 failed. Included once in each program.
 */
#ifndef LIBPERF_UNWIND_TESTS_SUITE_H
#define LIBPERF_UNWIND_TESTS_SUITE_H

#include <stdbool.h>
#include <stdio.h>

struct test {
	const char *name;
	bool (*fn)(void);
};

/* Ends the test as failed, with its place. */
#define T(cond)                                                                     \
	do {                                                                        \
		if (!(cond)) {                                                      \
			printf("# %s:%d: %s\n", __FILE__, __LINE__, #cond);         \
			return false;                                               \
		}                                                                   \
	} while (0)

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* Runs @nr @tests. Returns: the exit status. */
static inline int suite__run(const struct test *tests, int nr)
{
	int failed = 0;

	printf("1..%d\n", nr);
	for (int i = 0; i < nr; i++) {
		bool ok = tests[i].fn();

		failed += !ok;
		printf("%s %d - %s\n", ok ? "ok" : "not ok", i + 1, tests[i].name);
		fflush(stdout);
	}
	return failed ? 1 : 0;
}

#define SUITE(tests)                                                \
	int main(void)                                              \
	{                                                           \
		return suite__run(tests, NR(tests));                \
	}

#endif
