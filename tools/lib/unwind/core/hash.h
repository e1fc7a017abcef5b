/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Hash functions. What others can choose the keys of is hashed with a seed (env__seed()), so that
 * nobody can choose keys that collide. Nothing that is printed or written may depend on such a
 * value, or on the order of a table.
 *
 * stable_hash_bytes() has the same value on all machines of one byte order, for what is kept in
 * files.
 */
#ifndef PERF_UNWIND_CORE_HASH_H
#define PERF_UNWIND_CORE_HASH_H

#include <string.h>

#include "types.h"

/* Returns: @v with its bits mixed: every bit of the result depends on every bit of it. */
static inline u64 hash_mix(u64 v)
{
	v ^= v >> 32;
	v *= 0xd6e8feb86659fd93ULL;
	v ^= v >> 32;
	v *= 0xd6e8feb86659fd93ULL;
	v ^= v >> 32;
	return v;
}

/*
 * Hashes bytes.
 * @seed: another seed gives other hashes
 * @p: the bytes, at any alignment
 * @len: how many
 * Returns: the hash.
 */
static inline u64 hash_bytes_with(u64 seed, const void *p, size_t len)
{
	const u8 *b = p;
	u64 h = seed ^ len * 0x9e3779b97f4a7c15ULL;
	u64 w;

	for (; len >= 8; b += 8, len -= 8) {
		memcpy(&w, b, 8);
		h = hash_mix(h ^ w);
	}
	w = 0;
	if (len)
		memcpy(&w, b, len);
	return hash_mix(h ^ w);
}

/* Returns: the hash of @len bytes at @p, the same in every process: for what is kept in files. */
static inline u64 stable_hash_bytes(const void *p, size_t len)
{
	return hash_bytes_with(0, p, len);
}

#endif
