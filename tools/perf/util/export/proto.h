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

/* Puts @len bytes at @p as field @field: a string, a message, a packed list. Also when empty. */
static inline void proto__bytes(struct textbuf *tb, u32 field, const void *p, size_t len)
{
	proto__varint(tb, field << 3 | 2);
	proto__varint(tb, len);
	textbuf__put(tb, p, len);
}

/* Puts what is in @message as field @field, and empties it. */
static inline void proto__message(struct textbuf *tb, u32 field, struct textbuf *message)
{
	proto__bytes(tb, field, message->buf, message->len);
	message->len = 0;
}

#endif
