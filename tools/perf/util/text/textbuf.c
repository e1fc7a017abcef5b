// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../base/mem.h"
#include "../base/text.h"
#include "../io/write-all.h"
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

int textbuf__flush(struct textbuf *tb)
{
	if (tb->fd >= 0) {
		if (tb->disarm)
			text__disarm(tb->buf, tb->len);
		textbuf__write(tb, tb->buf, tb->len);
		tb->len = 0;
	}
	return tb->error;
}

void textbuf__make_room(struct textbuf *tb, size_t n)
{
	if (tb->fd >= 0)
		textbuf__flush(tb);
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

void textbuf__put(struct textbuf *tb, const char *s, size_t len)
{
	memcpy(textbuf__room(tb, len), s, len);
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
	textbuf__put(tb, s, len);
}

void textbuf__str_left(struct textbuf *tb, const char *s, size_t width)
{
	size_t len = strlen(s);

	textbuf__put(tb, s, len);
	if (len < width)
		textbuf__pad(tb, ' ', width - len);
}

static __attribute__((always_inline)) inline void put_number(struct textbuf *tb, u64 v,
							     unsigned int base, char fill,
							     unsigned int width)
{
	char digits[20], *end = digits + sizeof(digits), *p = end;

	do {
		*--p = "0123456789abcdef"[v % base];
		v /= base;
	} while (v);
	if ((size_t)(end - p) < width)
		textbuf__pad(tb, fill, width - (end - p));
	textbuf__put(tb, p, end - p);
}

void textbuf__dec(struct textbuf *tb, u64 v, unsigned int width)
{
	put_number(tb, v, 10, ' ', width);
}

void textbuf__dec0(struct textbuf *tb, u64 v, unsigned int width)
{
	put_number(tb, v, 10, '0', width);
}

/* For columns of addresses, which are most numbers. */
static void put_hex16(struct textbuf *tb, u64 v)
{
	char *p = textbuf__room(tb, 16);
	int i = 15;

	memset(p, ' ', 16);
	do
		p[i--] = "0123456789abcdef"[v & 15];
	while (v >>= 4);
	tb->len += 16;
}

void textbuf__hex(struct textbuf *tb, u64 v, unsigned int width)
{
	if (width == 16)
		put_hex16(tb, v);
	else
		put_number(tb, v, 16, ' ', width);
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
	vsnprintf(textbuf__room(tb, n + 1), n + 1, fmt, ap);
	va_end(ap);
	tb->len += n;
}
