/* SPDX-License-Identifier: GPL-2.0-only */
/* Hash functions: the same value on every machine of one byte order, not for hostile keys. */
#ifndef PERF_BASE_HASH_BYTES_H
#define PERF_BASE_HASH_BYTES_H

#include <string.h>

#include "types.h"

static inline u64 hash_u64(u64 v)
{
	v ^= v >> 32;
	v *= 0xd6e8feb86659fd93ULL;
	v ^= v >> 32;
	v *= 0xd6e8feb86659fd93ULL;
	v ^= v >> 32;
	return v;
}

static inline u64 hash_bytes(const void *p, size_t len)
{
	const u8 *b = p;
	u64 h = len * 0x9e3779b97f4a7c15ULL;
	u64 w;

	for (; len >= 8; b += 8, len -= 8) {
		memcpy(&w, b, 8);
		h = hash_u64(h ^ w);
	}
	w = 0;
	if (len)
		memcpy(&w, b, len);
	return hash_u64(h ^ w);
}

#endif
