/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON (RFC 8259) into a textbuf. Members of an object are put as `,"key":value`; what opens an
 * object puts its first member without a comma.
 *
 * Strings are UTF-8: bytes of a name that are not become U+FFFD, one for each, and control
 * characters are escaped, DEL and U+0080 to U+009F, too, so that a line of JSON is a line on every
 * screen. Numbers are integers below 2^64; addresses are strings, "0x7f12", since many readers of
 * JSON keep numbers as doubles.
 */
#ifndef PERF_TEXT_JSON_H
#define PERF_TEXT_JSON_H

#include "textbuf.h"

/* Puts @s of @len bytes as a string with its quotes. A NUL becomes \u0000. */
void textbuf__json_string_n(struct textbuf *tb, const char *s, size_t len);

/* The same for @s up to its NUL. */
static inline void textbuf__json_string(struct textbuf *tb, const char *s)
{
	textbuf__json_string_n(tb, s, strlen(s));
}

/*
 * Puts a member of an object: a string.
 * @key: a word that needs no escape
 * @s: NULL: there is no member at all
 */
void textbuf__json_text(struct textbuf *tb, const char *key, const char *s);

/* The same for other values, @v, with a @key. */
void textbuf__json_signed(struct textbuf *tb, const char *key, s64 v);
void textbuf__json_address(struct textbuf *tb, const char *key, u64 v);
void textbuf__json_bool(struct textbuf *tb, const char *key, bool v);

/*
 * Puts `,"key":`: the value follows.
 * @key: a word that needs no escape, whose length the compiler knows, mostly
 */
static inline void textbuf__json_key(struct textbuf *tb, const char *key)
{
	size_t len = strlen(key);
	char *p = textbuf__room(tb, len + 4);

	memcpy(p, ",\"", 2);
	memcpy(p + 2, key, len);
	memcpy(p + 2 + len, "\":", 2);
	tb->len += len + 4;
}

/*
 * Puts a member of an object: a number.
 * @key: as above
 * @v: the number
 */
static inline void textbuf__json_number(struct textbuf *tb, const char *key, u64 v)
{
	textbuf__json_key(tb, key);
	textbuf__dec(tb, v, 0);
}

#endif
