/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A growing buffer of encoded bytes, the counterpart of core/bytes.h, for headers and features. All
 * zero is empty; vec__free(&out->buf) frees.
 */
#ifndef PERF_DATA_BYTES_OUT_H
#define PERF_DATA_BYTES_OUT_H

#include <string.h>

#include "../base/vec.h"

struct bytes_out {
	VEC(u8) buf;
};

/* Appends @size zeros. */
static inline void bytes_out__zeros(struct bytes_out *out, size_t size)
{
	vec__reserve(&out->buf, out->buf.nr + size);
	if (size)
		memset(out->buf.v + out->buf.nr, 0, size);
	out->buf.nr += size;
}

/* Appends @size bytes at @p. */
static inline void bytes_out__put(struct bytes_out *out, const void *p, size_t size)
{
	vec__reserve(&out->buf, out->buf.nr + size);
	if (size)
		memcpy(out->buf.v + out->buf.nr, p, size);
	out->buf.nr += size;
}

/* Append the number @v, in the byte order of this machine. */
static inline void bytes_out__u32(struct bytes_out *out, u32 v)
{
	bytes_out__put(out, &v, sizeof(v));
}
static inline void bytes_out__u64(struct bytes_out *out, u64 v)
{
	bytes_out__put(out, &v, sizeof(v));
}

/* Appends the string @s with its NUL, and zeros up to a multiple of @align, a power of two. */
static inline void bytes_out__str(struct bytes_out *out, const char *s, size_t align)
{
	size_t size = strlen(s) + 1;

	bytes_out__put(out, s, size);
	bytes_out__zeros(out, -size & (align - 1));
}

#endif
