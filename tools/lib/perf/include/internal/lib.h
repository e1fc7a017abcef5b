/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/* What the files of libperf share with each other: integer types, messages, page size, counts. */
#ifndef LIBPERF_INTERNAL_LIB_H
#define LIBPERF_INTERNAL_LIB_H

#include <perf/core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int8_t s8;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;

/*
 * Passes a message, newline included, to the function that libperf_init() was given. @level: how
 * important it is.
 */
void libperf__print(enum libperf_print_level level, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns: the size of a page in bytes. */
size_t libperf__page_size(void);

/* Adds a reference to @refcnt. */
static inline void refcnt__get(int *refcnt)
{
	__atomic_add_fetch(refcnt, 1, __ATOMIC_RELAXED);
}

/* Drops a reference. Returns whether @refcnt is 0 then: it was the last one. */
static inline bool refcnt__put(int *refcnt)
{
	return __atomic_sub_fetch(refcnt, 1, __ATOMIC_ACQ_REL) == 0;
}

/* Returns: the present value of @refcnt. */
static inline int refcnt__read(int *refcnt)
{
	return __atomic_load_n(refcnt, __ATOMIC_ACQUIRE);
}

#endif
