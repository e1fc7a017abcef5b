/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The one place where untrusted bytes are decoded.
 *
 * A cursor walks a byte range; a read past the end returns zeros, sets .bad and moves to the
 * end, so a decoder can read a whole structure and check .bad once. Values are returned in the
 * byte order of this machine; .swap says that the bytes are in the other one.
 */
#ifndef PERF_UNWIND_CORE_BYTES_H
#define PERF_UNWIND_CORE_BYTES_H

#include <string.h>

#include "types.h"

struct bytes {
	const u8 *data;
	size_t len;
};

struct cursor {
	const u8 *data;
	size_t len, pos;
	bool bad;  /* a read went past the end */
	bool swap; /* the data has the other byte order */
};

/*
 * A cursor at the beginning of a range of bytes.
 * @data: borrowed; must live as long as the cursor
 * @len: bytes
 * @swap: the bytes have the other byte order
 * Returns: the cursor, by value; nothing has to be freed.
 */
static inline struct cursor cursor__init(const void *data, size_t len, bool swap)
{
	return (struct cursor){ .data = data, .len = len, .swap = swap };
}

/* Returns: the bytes that were not read yet. */
static inline size_t cursor__left(const struct cursor *c)
{
	return c->len - c->pos;
}

/*
 * Moves on by @size bytes.
 * Returns: where they are, in place; NULL (and .bad) if there are fewer.
 */
static inline const void *cursor__take(struct cursor *c, size_t size)
{
	const u8 *p = c->data + c->pos;

	if (unlikely(size > c->len - c->pos)) {
		c->bad = true;
		c->pos = c->len;
		return NULL;
	}
	c->pos += size;
	return p;
}

/* Reads a byte. Returns 0 (and .bad) at the end. */
static inline u8 cursor__u8(struct cursor *c)
{
	const u8 *p = cursor__take(c, 1);

	return p ? *p : 0;
}

#define CURSOR_READ(bits)                                              \
static inline u##bits cursor__u##bits(struct cursor *c)                \
{                                                                      \
	const void *p = cursor__take(c, sizeof(u##bits));              \
	u##bits v = 0;                                                 \
								       \
	if (p)                                                         \
		memcpy(&v, p, sizeof(v));                              \
	return c->swap ? __builtin_bswap##bits(v) : v;                 \
}
CURSOR_READ(16)
CURSOR_READ(32)
CURSOR_READ(64)
#undef CURSOR_READ

/*
 * Reads a variable-length integer (LEB128: DWARF 5, section 7.6). Bits beyond the 64th are dropped.
 * @is_signed: it is sign-extended
 * Returns: the number; 0 (and .bad) when it has no end.
 */
static inline u64 cursor__leb128(struct cursor *c, bool is_signed)
{
	unsigned int shift = 0;
	u64 v = 0;
	u8 byte;

	do {
		byte = cursor__u8(c);
		if (shift < 64)
			v |= (u64)(byte & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (byte & 0x80);
	if (is_signed && byte & 0x40 && shift < 64)
		v |= -1ULL << shift;
	return c->bad ? 0 : v;
}

/* Reads an unsigned LEB128. Returns 0 (and .bad) when it has no end. */
static inline u64 cursor__uleb(struct cursor *c)
{
	if (likely(c->pos < c->len && c->data[c->pos] < 0x80))
		return c->data[c->pos++];
	return cursor__leb128(c, false);
}

/* Reads a signed LEB128. Returns 0 (and .bad) when it has no end. */
static inline s64 cursor__sleb(struct cursor *c)
{
	return cursor__leb128(c, true);
}

/*
 * Reads a NUL-terminated string.
 * Returns: the string, in place; NULL (and .bad) when no NUL follows before the end.
 */
static inline const char *cursor__str(struct cursor *c)
{
	const char *s = (const char *)c->data + c->pos;
	const void *nul = cursor__left(c) ? memchr(s, 0, cursor__left(c)) : NULL;

	if (!nul) {
		c->bad = true;
		c->pos = c->len;
		return NULL;
	}
	c->pos = (const u8 *)nul + 1 - c->data;
	return s;
}

#endif
