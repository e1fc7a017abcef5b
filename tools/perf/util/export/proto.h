/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The encoding of Protocol Buffers (protobuf.dev/programming-guides/encoding) into a textbuf in
 * memory: fields one after another, integers as varints, messages as bytes behind their length.
 * Fields that are 0 or empty are left out, as that is what a missing one means.
 */
#ifndef PERF_EXPORT_PROTO_H
#define PERF_EXPORT_PROTO_H

#include "../text/textbuf.h"

/* Puts @v, seven bits in a byte, the lowest first. */
static inline void proto__varint(struct textbuf *tb, u64 v)
{
	char *p = textbuf__room(tb, 10);
	char *start = p;

	while (v >= 0x80) {
		*p++ = v | 0x80;
		v >>= 7;
	}
	*p++ = v;
	tb->len += p - start;
}

/* Puts the number @v as field @field. */
static inline void proto__number(struct textbuf *tb, u32 field, u64 v)
{
	if (!v)
		return;
	proto__varint(tb, field << 3);
	proto__varint(tb, v);
}

/* Puts @v as field @field, in eight bytes, the lowest first; also when it is 0. */
static inline void proto__fixed64(struct textbuf *tb, u32 field, u64 v)
{
	proto__varint(tb, field << 3 | 1);
	for (int i = 0; i < 8; i++)
		textbuf__putc(tb, (char)(v >> 8 * i));
}

/* Returns: the bytes of the varint of @v. */
static inline u32 proto__varint_size(u64 v)
{
	return (64 + 6 - __builtin_clzll(v | 1)) / 7;
}

/* Returns: the bytes of the field @field that has @len bytes. */
static inline size_t proto__bytes_size(u32 field, size_t len)
{
	return proto__varint_size(field << 3) + proto__varint_size(len) + len;
}

/* Returns: the bytes of the number @v as field @field. */
static inline size_t proto__number_size(u32 field, u64 v)
{
	return v ? proto__varint_size(field << 3) + proto__varint_size(v) : 0;
}

/* Begins field @field: @len bytes must follow. So a message needs no buffer of its own. */
static inline void proto__start(struct textbuf *tb, u32 field, size_t len)
{
	proto__varint(tb, field << 3 | 2);
	proto__varint(tb, len);
}

/* Puts @len bytes at @p as field @field: a string, a message, a packed list. Also when empty. */
static inline void proto__bytes(struct textbuf *tb, u32 field, const void *p, size_t len)
{
	proto__start(tb, field, len);
	textbuf__put(tb, p, len);
}

/* Puts what is in @message as field @field, and empties it. */
static inline void proto__message(struct textbuf *tb, u32 field, struct textbuf *message)
{
	proto__bytes(tb, field, message->buf, message->len);
	message->len = 0;
}

#endif
