/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Integer types, bit helpers and compiler attributes for all rooms. Includes nothing of the
 * project.
 */
#ifndef PERF_UNWIND_CORE_TYPES_H
#define PERF_UNWIND_CORE_TYPES_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BIT_ULL(n) (1ULL << (n))

#define min_of(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a < _b ? _a : _b; })
#define max_of(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
/* <0, 0, >0 as @a is below, equal to or above @b: for qsort(). */
#define compare_of(a, b) \
	({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a < _b ? -1 : _a > _b; })

#define __printf_like(f, a) __attribute__((format(printf, f, a)))
#define __unused_arg __attribute__((unused))

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Returns: @v rounded up to a multiple of @to, a power of two. */
static inline u64 align_up(u64 v, u64 to)
{
	return (v + to - 1) & ~(to - 1);
}

#endif
