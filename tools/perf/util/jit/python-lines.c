// SPDX-License-Identifier: GPL-2.0-only
#include "python-lines.h"

#define UNITS_MAX (1u << 20) /* of a function */

/* A table while it is read; beyond its end there are zeros. */
struct table {
	const u8 *p, *end;
};

static u32 table__byte(struct table *t)
{
	return t->p < t->end ? *t->p++ : 0;
}

/* Six bits of each byte, the lowest first; bit 6: there are more. */
static u32 table__varint(struct table *t)
{
	u32 v = 0, byte;

	for (u32 shift = 0; shift < 32; shift += 6) {
		byte = table__byte(t);
		v |= (byte & 63) << shift;
		if (!(byte & 64))
			break;
	}
	return v;
}

static s32 table__signed(struct table *t)
{
	u32 v = table__varint(t);

	return v & 1 ? -(s32)(v >> 1) : (s32)(v >> 1);
}

/* Kinds of entries: 0 to 9 stay in the line, 10 to 12 go to one of the next, ... */
enum { LINES_ONE = 10, LINES_NO_COLUMNS = 13, LINES_LONG = 14, LINES_NONE = 15 };

/* Passes over an entry behind its first byte. Returns by how much the line grows. */
static s32 table__entry(struct table *t, u32 kind)
{
	s32 delta = 0;

	if (kind == LINES_NONE)
		return 0;
	if (kind >= LINES_NO_COLUMNS)
		delta = table__signed(t);
	if (kind == LINES_LONG) {
		table__varint(t);
		table__varint(t);
		table__varint(t);
	} else if (kind < LINES_ONE) {
		table__byte(t);
	} else if (kind < LINES_NO_COLUMNS) {
		delta = kind - LINES_ONE;
		table__byte(t);
		table__byte(t);
	}
	return delta;
}

u32 python_lines__visit(const u8 *lines, u32 size, u32 line,
		       void (*each)(void *ctx, u32 at, u32 units, u32 line), void *ctx)
{
	struct table t = { lines, lines + size };
	u32 at = 0;

	while (t.p < t.end && at < UNITS_MAX) {
		u32 first = table__byte(&t), kind = first >> 3 & 15, units = (first & 7) + 1;

		line += (u32)table__entry(&t, kind);
		if (each)
			each(ctx, at, units, kind == LINES_NONE ? 0 : line);
		at += units;
	}
	return at;
}
