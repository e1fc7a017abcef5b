/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hash functions. Those for tables in memory have a different seed in each process, so that nobody
 * can choose keys that collide, in a recording or by running programs. Nothing that is printed or
 * written may depend on their values or on the order of a table.
 *
 * stable_hash_bytes() has the same value on all machines of one byte order, for what is kept in
 * files.
 */
#ifndef PERF_BASE_HASH_BYTES_H
#define PERF_BASE_HASH_BYTES_H

#include <string.h>

#include "types.h"

extern u64 hash_seed; /* set once, before main() */

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

/* Returns: the hash of @len bytes at @p, the same in every process: for what is kept in files. */
static inline u64 stable_hash_bytes(const void *p, size_t len)
{
	return hash_bytes_with(0, p, len);
}

#endif
