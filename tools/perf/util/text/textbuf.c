// SPDX-License-Identifier: GPL-2.0-only
#include <endian.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../base/mem.h"
#include "../base/text.h"
#include "../io/write-all.h"
#include "cells.h"
#include "textbuf.h"

#define TEXTBUF_SIZE (256 * 1024)

void textbuf__init(struct textbuf *tb, int fd)
{
	*tb = (struct textbuf){
		.fd = fd,
		.max = fd < 0 ? 4096 : TEXTBUF_SIZE,
		.disarm = fd >= 0 && isatty(fd),
	};
	tb->buf = xmalloc(tb->max);
}

void textbuf__free(struct textbuf *tb)
{
	zfree(&tb->buf);
	tb->len = tb->max = 0;
}

static void textbuf__write(struct textbuf *tb, const char *p, size_t len)
{
	if (!tb->error)
		tb->error = write_all(tb->fd, p, len, NULL);
}

/* Writes the first @len bytes of the buffer, for a spreadsheet. */
static void write_cells(struct textbuf *tb, size_t len)
{
	char *text = xmalloc(CELLS_GROWTH * len + 1);

	textbuf__write(tb, text, cells__disarm(text, tb->buf, len, tb->separators));
	free(text);
}

/* Writes the first @len bytes of the buffer; the others stay. */
static void write_first(struct textbuf *tb, size_t len)
{
	if (tb->disarm)
		text__disarm(tb->buf, len);
	if (tb->separators)
		write_cells(tb, len);
	else
		textbuf__write(tb, tb->buf, len);
	tb->len -= len;
	memmove(tb->buf, tb->buf + len, tb->len);
	tb->nr_flushed++;
}

int textbuf__flush(struct textbuf *tb)
{
	if (tb->fd >= 0)
		write_first(tb, tb->len);
	return tb->error;
}

/* Returns the bytes of the buffer that can be written alone: cells are looked at as a whole. */
static size_t whole_bytes(const struct textbuf *tb)
{
	const char *end = tb->separators ? memrchr(tb->buf, '\n', tb->len) : NULL;

	return !tb->separators ? tb->len : end ? (size_t)(end + 1 - tb->buf) : 0;
}

void textbuf__make_room(struct textbuf *tb, size_t n)
{
	if (tb->fd >= 0)
		write_first(tb, whole_bytes(tb));
	if (tb->max - tb->len >= n)
		return;
	tb->max = max_of(tb->max * 2, tb->len + n);
	tb->buf = xrealloc(tb->buf, tb->max);
}

const char *textbuf__str(struct textbuf *tb)
{
	*textbuf__room(tb, 1) = '\0';
	return tb->buf;
}

void textbuf__replace(struct textbuf *tb, char from, char to)
{
	for (size_t i = 0; i < tb->len; i++)
		if (tb->buf[i] == from)
			tb->buf[i] = to;
}

/* What has no room in the buffer, even when it is empty, goes around it. */
static bool goes_around(const struct textbuf *tb, size_t len)
{
	return tb->fd >= 0 && len > tb->max && !tb->disarm && !tb->separators;
}

void textbuf__put(struct textbuf *tb, const char *s, size_t len)
{
	if (unlikely(goes_around(tb, len))) {
		textbuf__flush(tb);
		textbuf__write(tb, s, len);
		return;
	}
	memcpy(textbuf__room(tb, len), s, len);
	tb->len += len;
}

void textbuf__name(struct textbuf *tb, const char *s)
{
	size_t len = strlen(s);
	char *name = textbuf__room(tb, len);

	memcpy(name, s, len);
	name__disarm(name, len);
	tb->len += len;
}

void textbuf__pad(struct textbuf *tb, char c, size_t n)
{
	memset(textbuf__room(tb, n), c, n);
	tb->len += n;
}

void textbuf__str_right(struct textbuf *tb, const char *s, size_t width)
{
	size_t len = strlen(s);

	if (len < width)
		textbuf__pad(tb, ' ', width - len);
	textbuf__name(tb, s);
}

void textbuf__str_left(struct textbuf *tb, const char *s, size_t width)
{
	size_t len = strlen(s);

	textbuf__name(tb, s);
	if (len < width)
		textbuf__pad(tb, ' ', width - len);
}

/* Puts @nr characters, @digits, flush right into @width columns. There must be room for them. */
static void put_digits(struct textbuf *tb, const char *digits, unsigned int nr, char fill,
		       unsigned int width)
{
	char *p;

	if (nr < width)
		textbuf__pad(tb, fill, width - nr);
	p = textbuf__room(tb, TEXTBUF_NUMBER);
	memcpy(p, digits, TEXTBUF_NUMBER);
	tb->len += nr;
}

static void put_decimal(struct textbuf *tb, u64 v, char fill, unsigned int width)
{
	char digits[TEXTBUF_NUMBER + TEXTBUF_NUMBER], *end = digits + TEXTBUF_NUMBER, *p = end;

	for (; v >= 100; v /= 100) {
		p -= 2;
		memcpy(p, &"00010203040506070809101112131415161718192021222324"
			   "25262728293031323334353637383940414243444546474849"
			   "50515253545556575859606162636465666768697071727374"
			   "75767778798081828384858687888990919293949596979899"[v % 100 * 2], 2);
	}
	for (; v >= 10; v /= 10)
		*--p = '0' + v % 10;
	*--p = '0' + v;
	put_digits(tb, p, end - p, fill, width);
}

void textbuf__dec(struct textbuf *tb, u64 v, unsigned int width)
{
	put_decimal(tb, v, ' ', width);
}

void textbuf__dec0(struct textbuf *tb, u64 v, unsigned int width)
{
	put_decimal(tb, v, '0', width);
}

/* Returns the eight hexadecimal digits of @v as they are in memory. */
static u64 hex_digits(u32 v)
{
	u64 x = v, letters;

	x = (x | x << 16) & 0x0000ffff0000ffff;
	x = (x | x << 8) & 0x00ff00ff00ff00ff;
	x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f; /* a byte each, the last digit lowest */
	letters = (x + 0x0606060606060606) >> 4 & 0x0101010101010101;
	return htobe64(x + 0x3030303030303030 + letters * ('a' - '0' - 10));
}

void textbuf__hex(struct textbuf *tb, u64 v, unsigned int width)
{
	unsigned int nr = v ? 16 - __builtin_clzll(v) / 4 : 1;
	u64 left = v << (16 - nr) * 4, digits;
	char *p;

	if (nr < width)
		textbuf__pad(tb, ' ', width - nr);
	p = textbuf__room(tb, 2 * sizeof(digits));
	digits = hex_digits(left >> 32);
	memcpy(p, &digits, sizeof(digits));
	digits = hex_digits(left);
	memcpy(p + sizeof(digits), &digits, sizeof(digits));
	tb->len += nr;
}

/* Whether the digits behind the second one are a tie, or nearly: printf looks at all of them. */
static bool is_tie(double rest)
{
	return rest > 0.499999 && rest < 0.500001;
}

void textbuf__percent(struct textbuf *tb, double v, unsigned int width)
{
	double scaled = v * 100;
	u64 hundredths = scaled < 1e12 ? (u64)scaled : 0;
	double rest = scaled - hundredths;

	if (!(scaled >= 0 && scaled < 1e12) || is_tie(rest)) {
		textbuf__printf(tb, "%*.2f%%", (int)width, v);
		return;
	}
	hundredths += rest > 0.5;
	textbuf__dec(tb, hundredths / 100, width > 3 ? width - 3 : 0);
	textbuf__putc(tb, '.');
	textbuf__dec0(tb, hundredths % 100, 2);
	textbuf__putc(tb, '%');
}

void textbuf__printf(struct textbuf *tb, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	va_start(ap, fmt);
	name__vformat(textbuf__room(tb, n + 1), n + 1, fmt, ap);
	va_end(ap);
	tb->len += n;
}
