/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Macros of libperf's test programs. A test is a function (int argc, char **argv); the program
 * defines the two variables. With -v, __T_VERBOSE() speaks.
 */
#ifndef LIBPERF_INTERNAL_TESTS_H
#define LIBPERF_INTERNAL_TESTS_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern int tests_failed;
extern int tests_verbose; /* 1: asked for, 2: has begun a line of its own */

/* Returns: whether @option is among the arguments. */
static inline int tests__has_option(int argc, char **argv, const char *option)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], option))
			return 1;
	}
	return 0;
}

#define __T_START                                                     \
	do {                                                          \
		tests_failed = 0;                                     \
		tests_verbose = tests__has_option(argc, argv, "-v");  \
		printf("- running %s...", __FILE__);                  \
		fflush(stdout);                                       \
	} while (0)

#define __T_END                                                       \
	do {                                                          \
		if (!tests_failed)                                    \
			puts("OK");                                   \
		else                                                  \
			printf("  FAILED (%d)\n", tests_failed);      \
	} while (0)

/* Leaves the function if the condition does not hold. */
#define __T(text, cond)                                                              \
	do {                                                                         \
		if (cond)                                                            \
			break;                                                       \
		tests_failed++;                                                      \
		fprintf(stderr, "FAILED %s:%d %s\n", __FILE__, __LINE__, (text));    \
		return -1;                                                           \
	} while (0)

#define __T_VERBOSE(...)                                              \
	do {                                                          \
		if (!tests_verbose)                                   \
			break;                                        \
		if (tests_verbose++ == 1)                             \
			fputc('\n', stderr);                          \
		fprintf(stderr, __VA_ARGS__);                         \
	} while (0)

#endif
