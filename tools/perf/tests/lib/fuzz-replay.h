/* SPDX-License-Identifier: GPL-2.0-only */
/* The inputs of fuzz targets as unit tests: see fuzz/input.h. */
#ifndef PERF_TESTS_LIB_FUZZ_REPLAY_H
#define PERF_TESTS_LIB_FUZZ_REPLAY_H

#include "../test.h"

#define FUZZ_LIMIT_SEC 300 /* sanitizers, on a busy machine */

/*
 * The leak sanitizer asks which leaks do not count: the parser of libtraceevent forgets some bytes
 * of each format that it does not understand.
 */
#define FUZZ_OTHERS_LEAKS                                                             \
	const char *__lsan_default_suppressions(void);                                \
	const char *__lsan_default_suppressions(void)                                 \
	{                                                                             \
		return "leak:libtraceevent";                                          \
	}

/*
 * Calls @fuzz with each file in tests/data/fuzz/ID.tar.zst, whose name is printed before: the last
 * one is to blame for what happens. A '_' of @id is a '-' there. There must be some.
 */
void fuzz__replay(const char *id, void (*fuzz)(const u8 *data, size_t size));

#endif
