/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the encoding of Protocol Buffers, field by field:
 *
 *	struct proto_reader r = { .left = message };
 *	struct proto_field f;
 *	while (proto__next(&r, &f))
 *		use(f.number, f.value or f.bytes);
 *	if (r.bad) it is damaged;
 */
#ifndef PERF_EXPORT_PROTO_READER_H
#define PERF_EXPORT_PROTO_READER_H

#include "../../../lib/unwind/core/bytes.h"

/* The types of the encoding that are in use; others were given up. */
enum proto_type { PROTO_VARINT = 0, PROTO_FIXED64 = 1, PROTO_BYTES = 2, PROTO_FIXED32 = 5 };

struct proto_reader {
	struct bytes left;
	bool bad;                 /* what is left cannot be read */
};

struct proto_field {
	u32 number;
	enum proto_type type;
	u64 value;                /* of PROTO_VARINT; else 0 */
	struct bytes bytes;       /* of the others */
	struct bytes all;         /* the field as it is, with its number */
};

/* Takes the next number, @value, of a packed list. Returns: false at its end, or when damaged. */
static inline bool proto__next_varint(struct proto_reader *r, u64 *value)
{
	struct cursor c = cursor__init(r->left.data, r->left.len, false);

	if (!r->left.len || r->bad)
		return false;
	*value = cursor__uleb(&c);
	r->bad = c.bad;
	r->left = (struct bytes){ r->left.data + c.pos, r->left.len - c.pos };
	return !r->bad;
}

/* Takes the next field, @f, of a message. Returns: false at its end, or when damaged. */
static inline bool proto__next(struct proto_reader *r, struct proto_field *f)
{
	const u8 *start = r->left.data;
	u64 key, size = 0;

	*f = (struct proto_field){};
	if (!proto__next_varint(r, &key))
		return false;
	f->number = key >> 3;
	f->type = key & 7;
	if (f->type == PROTO_VARINT)
		r->bad = !proto__next_varint(r, &f->value);
	else if (f->type == PROTO_BYTES)
		r->bad = !proto__next_varint(r, &size);
	else if (f->type == PROTO_FIXED64 || f->type == PROTO_FIXED32)
		size = f->type == PROTO_FIXED64 ? 8 : 4;
	else
		r->bad = true;
	if (r->bad || size > r->left.len) {
		r->bad = true;
		return false;
	}
	f->bytes = (struct bytes){ r->left.data, size };
	r->left = (struct bytes){ r->left.data + size, r->left.len - size };
	f->all = (struct bytes){ start, r->left.data - start };
	return true;
}

#endif
