// SPDX-License-Identifier: GPL-2.0-only
#include "format-check.h"

#include <string.h>

#include "../../../lib/unwind/core/bytes.h"
#include "../../util/base/text.h"

#define DEEPEST 64 /* nested arrays and objects; none of our formats comes near */

struct json_reader {
	const char *p, *end;
	char nested[DEEPEST];     /* what closes them */
	u32 depth;
};

static void skip_space(struct json_reader *r)
{
	while (r->p < r->end && strchr(" \t\r\n", *r->p) && *r->p)
		r->p++;
}

static bool take(struct json_reader *r, char c)
{
	skip_space(r);
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

static bool take_escape(struct json_reader *r)
{
	if (r->p == r->end)
		return false;
	if (*r->p++ != 'u')
		return strchr("\"\\/bfnrt", r->p[-1]) && r->p[-1];
	for (int i = 0; i < 4; i++, r->p++)
		if (r->p == r->end || !strchr("0123456789abcdefABCDEF", *r->p) || !*r->p)
			return false;
	return true;
}

static bool take_string(struct json_reader *r)
{
	size_t len;

	if (!take(r, '"'))
		return false;
	while (r->p < r->end && *r->p != '"') {
		if (*r->p == '\\') {
			r->p++;
			if (!take_escape(r))
				return false;
			continue;
		}
		len = (u8)*r->p < 0x20 ? 0 : utf8__length(r->p, r->end - r->p);
		if (!len)
			return false;
		r->p += len;
	}
	return r->p++ < r->end;
}

static size_t digits(struct json_reader *r)
{
	const char *start = r->p;

	while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
		r->p++;
	return r->p - start;
}

static bool take_number(struct json_reader *r)
{
	const char *start;

	if (r->p < r->end && *r->p == '-')
		r->p++;
	start = r->p;
	if (!digits(r) || (*start == '0' && r->p > start + 1))
		return false;
	if (r->p < r->end && *r->p == '.') {
		r->p++;
		if (!digits(r))
			return false;
	}
	if (r->p < r->end && (*r->p == 'e' || *r->p == 'E')) {
		r->p++;
		r->p += r->p < r->end && (*r->p == '-' || *r->p == '+');
		return digits(r);
	}
	return true;
}

static bool take_word(struct json_reader *r, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(r->end - r->p) < len || memcmp(r->p, word, len))
		return false;
	r->p += len;
	return true;
}

static bool take_scalar(struct json_reader *r)
{
	if (r->p < r->end && *r->p == '"')
		return take_string(r);
	return take_word(r, "true") || take_word(r, "false") || take_word(r, "null") ||
	       take_number(r);
}

static bool take_key(struct json_reader *r)
{
	return r->nested[r->depth - 1] == ']' || (take_string(r) && take(r, ':'));
}

/* Takes a value, or what opens one. @open: out: there is more of it to come */
static bool take_value(struct json_reader *r, bool *open)
{
	char close = take(r, '[') ? ']' : take(r, '{') ? '}' : '\0';

	*open = false;
	if (!close)
		return take_scalar(r);
	if (r->depth == DEEPEST)
		return false;
	if (take(r, close))
		return true;
	r->nested[r->depth++] = close;
	*open = true;
	return take_key(r);
}

bool is_json(const char *text, size_t size)
{
	struct json_reader r = { .p = text, .end = text + size };
	bool open;

	do {
		do {
			skip_space(&r);
			if (!take_value(&r, &open))
				return false;
		} while (open);
		while (r.depth && take(&r, r.nested[r.depth - 1]))
			r.depth--;
		if (r.depth && (!take(&r, ',') || !take_key(&r)))
			return false;
	} while (r.depth);
	skip_space(&r);
	return r.p == r.end;
}

static bool take_varint(const u8 **p, const u8 *end, u64 *v)
{
	*v = 0;
	for (u32 shift = 0; *p < end && shift < 70; shift += 7) {
		u8 byte = *(*p)++;

		*v |= shift < 64 ? (u64)(byte & 127) << shift : 0;
		if (byte < 128)
			return true;
	}
	return false;
}

bool is_proto(const void *data, size_t size)
{
	const u8 *p = data, *end = p + size;
	u64 key, v;

	while (p < end) {
		if (!take_varint(&p, end, &key) || !(key >> 3))
			return false;
		switch (key & 7) {
		case 0:
			if (!take_varint(&p, end, &v))
				return false;
			break;
		case 1:
			if (end - p < 8)
				return false;
			p += 8;
			break;
		case 2:
			if (!take_varint(&p, end, &v) || v > (u64)(end - p))
				return false;
			p += v;
			break;
		default:
			return false;
		}
	}
	return true;
}

bool is_lines(const char *text, size_t size)
{
	const char *p = text, *end = text + size;

	if (size && end[-1] != '\n')
		return false;
	while (p < end) {
		size_t len = *p == '\n' ? 1 : utf8__control(p, 1) ? 0 :
			     utf8__length(p, end - p);

		if (!len)
			return false;
		p += len;
	}
	return true;
}
