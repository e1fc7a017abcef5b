// SPDX-License-Identifier: GPL-2.0-only
#include "../base/text.h"
#include "json.h"

#define ALL_BYTES(b) (0x0101010101010101ull * (b))

/* Whether one of the eight bytes of @v is zero. */
static bool has_zero(u64 v)
{
	return (v - ALL_BYTES(0x01)) & ~v & ALL_BYTES(0x80);
}

/* Whether all of eight bytes can be copied as they are. It may be wrong when it says no. */
static bool are_plain(const u8 *s)
{
	u64 v;

	memcpy(&v, s, sizeof(v));
	/* Up to 0x7e, from 0x20 on, and neither of the two that have a backslash in front. */
	return !((v | (v + ALL_BYTES(0x01))) & ALL_BYTES(0x80)) &&
	       !((v - ALL_BYTES(0x20)) & ALL_BYTES(0x80)) &&
	       !has_zero(v ^ ALL_BYTES('"')) && !has_zero(v ^ ALL_BYTES('\\'));
}

/* How many bytes from @s on can be copied as they are. */
static size_t plain_length(const u8 *s, size_t len)
{
	size_t i = 0;

	while (i + 8 <= len && are_plain(s + i))
		i += 8;
	while (i < len && s[i] >= 0x20 && s[i] < 0x7f && s[i] != '"' && s[i] != '\\')
		i++;
	return i;
}

static void put_escape(struct textbuf *tb, unsigned int code)
{
	textbuf__puts(tb, "\\u");
	for (int shift = 12; shift >= 0; shift -= 4)
		textbuf__putc(tb, "0123456789abcdef"[code >> shift & 15]);
}

/* Returns the number of a character of two or three bytes, as control characters are. */
static unsigned int code_of(const u8 *s, size_t n)
{
	return n == 2 ? (s[0] & 0x1f) << 6 | (s[1] & 0x3f) :
			(s[0] & 0x0f) << 12 | (s[1] & 0x3f) << 6 | (s[2] & 0x3f);
}

/* Puts the character at @s and returns its bytes. */
static size_t put_special(struct textbuf *tb, const char *s, size_t len)
{
	u8 c = s[0];
	size_t n;

	if (c == '"' || c == '\\') {
		textbuf__putc(tb, '\\');
		textbuf__putc(tb, c);
		return 1;
	}
	if (c < 0x80) {
		put_escape(tb, c);
		return 1;
	}
	n = utf8__length(s, len);
	if (!n)
		put_escape(tb, 0xfffd);
	else if (utf8__control(s, len))
		put_escape(tb, code_of((const u8 *)s, n));
	else
		textbuf__put(tb, s, n);
	return n ?: 1;
}

void textbuf__json_string_n(struct textbuf *tb, const char *s, size_t len)
{
	textbuf__putc(tb, '"');
	while (len) {
		size_t n = plain_length((const u8 *)s, len);

		textbuf__put(tb, s, n);
		s += n;
		len -= n;
		if (len) {
			n = put_special(tb, s, len);
			s += n;
			len -= n;
		}
	}
	textbuf__putc(tb, '"');
}

void textbuf__json_text(struct textbuf *tb, const char *key, const char *s)
{
	if (!s)
		return;
	textbuf__json_key(tb, key);
	textbuf__json_string(tb, s);
}

void textbuf__json_signed(struct textbuf *tb, const char *key, s64 v)
{
	textbuf__json_key(tb, key);
	if (v < 0)
		textbuf__putc(tb, '-');
	textbuf__dec(tb, v < 0 ? -(u64)v : (u64)v, 0);
}

void textbuf__json_address(struct textbuf *tb, const char *key, u64 v)
{
	textbuf__json_key(tb, key);
	textbuf__puts(tb, "\"0x");
	textbuf__hex(tb, v, 0);
	textbuf__putc(tb, '"');
}

void textbuf__json_bool(struct textbuf *tb, const char *key, bool v)
{
	textbuf__json_key(tb, key);
	textbuf__puts(tb, v ? "true" : "false");
}
