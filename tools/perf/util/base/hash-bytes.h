/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hash functions for tables in memory: they have a different seed in each process, so that nobody
 * can choose keys that collide, in a recording or by running programs. Nothing that is printed or
 * written may depend on their values or on the order of a table.
 */
#ifndef PERF_BASE_HASH_BYTES_H
#define PERF_BASE_HASH_BYTES_H

#include "../../../lib/unwind/core/hash.h"

extern u64 hash_seed; /* set once, before main() */

/* Returns: the hash of a number, @v, for tables in memory. */
static inline u64 hash_u64(u64 v)
{
	return hash_mix(v ^ hash_seed);
}

/* Returns: the hash of @len bytes at @p, for tables in memory. */
static inline u64 hash_bytes(const void *p, size_t len)
{
	return hash_bytes_with(hash_seed, p, len);
}

#endif
