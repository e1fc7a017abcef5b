/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fast text output: one large buffer in front of a file descriptor, with writers for the few shapes
 * that profiles consist of (padded strings, decimal and hexadecimal numbers). printf is there for
 * lines that are written once.
 *
 * Ownership: the textbuf owns its buffer, never the descriptor. Errors: the first failed write() is
 * kept in .error (-errno, e.g. -EPIPE, -ENOSPC), everything after it is dropped; callers check it
 * where they can stop. A closed pipe normally ends the process by SIGPIPE.
 *
 * Names are not trusted: whoever is recorded has chosen them. textbuf__name(), those that put a
 * string into a column, and textbuf__printf() make them harmless (name__disarm()), so that they
 * command no terminal and stay on their line, wherever that goes. textbuf__put(), textbuf__puts()
 * and textbuf__putc() take what is ours as it is, and what other writers escape. For what is
 * overlooked, all that goes to a terminal is made harmless once more.
 */
#ifndef PERF_TEXT_TEXTBUF_H
#define PERF_TEXT_TEXTBUF_H

#include <string.h>

#include "../../../lib/unwind/core/types.h"

/* Bytes of room that a number takes at most, before it is padded. */
#define TEXTBUF_NUMBER 32

struct textbuf {
	char *buf;
	size_t len, max;
	int fd;    /* -1: memory only; the buffer grows and textbuf__str() gives it out */
	int error;
	u64 nr_flushed; /* how often: what was in the buffer before is not there any more */
	bool disarm; /* a terminal is behind it, by isatty(3), or behind a pager */
	const char *separators; /* of cells, borrowed: a spreadsheet may be behind it (cells.h) */
};

/* @fd: borrowed; -1: memory only */
void textbuf__init(struct textbuf *tb, int fd);

/* Frees the buffer, without flushing. */
void textbuf__free(struct textbuf *tb);

/* Writes the buffer to the descriptor. Returns 0, or .error. */
int textbuf__flush(struct textbuf *tb);

/* Internal: flushes or grows the buffer, so that @n more bytes fit. */
void textbuf__make_room(struct textbuf *tb, size_t n);

/* Memory only. Returns: the text, NUL-terminated; owned by @tb, valid until more is appended. */
const char *textbuf__str(struct textbuf *tb);

/* Returns: the address of @n writable bytes behind the text; the caller then adds to .len. */
static inline char *textbuf__room(struct textbuf *tb, size_t n)
{
	if (unlikely(tb->max - tb->len < n))
		textbuf__make_room(tb, n);
	return tb->buf + tb->len;
}

/* Appends @len bytes at @s. */
void textbuf__put(struct textbuf *tb, const char *s, size_t len);

/* Appends the character @c. */
static inline void textbuf__putc(struct textbuf *tb, char c)
{
	*textbuf__room(tb, 1) = c;
	tb->len++;
}

/* Appends the string @s as it is: a word of ours, or a text of several lines. */
static inline void textbuf__puts(struct textbuf *tb, const char *s)
{
	textbuf__put(tb, s, strlen(s));
}

/* Appends the name @s. */
void textbuf__name(struct textbuf *tb, const char *s);

/* Appends @n times the character @c. */
void textbuf__pad(struct textbuf *tb, char c, size_t n);

/* Appends the name @s, flush right in @width columns: %*s. */
void textbuf__str_right(struct textbuf *tb, const char *s, size_t width);

/* Appends the name @s, flush left in @width columns: %-*s. */
void textbuf__str_left(struct textbuf *tb, const char *s, size_t width);

/* Appends the number @v in at least @width columns: %*llu. */
void textbuf__dec(struct textbuf *tb, u64 v, unsigned int width);

/* Appends the number @v with zeros in front, at least @width digits: %0*llu. */
void textbuf__dec0(struct textbuf *tb, u64 v, unsigned int width);

/* Appends the number @v in hexadecimal in at least @width columns: %*llx. */
void textbuf__hex(struct textbuf *tb, u64 v, unsigned int width);

/* Appends the share @v, not negative, in at least @width columns: %*.2f%%. */
void textbuf__percent(struct textbuf *tb, double v, unsigned int width);

/* Replaces each character @from by @to in what is not flushed yet. */
void textbuf__replace(struct textbuf *tb, char from, char to);

/* Appends a formatted string. Its line ends are those of @fmt; arguments are names. */
void textbuf__printf(struct textbuf *tb, const char *fmt, ...) __printf_like(2, 3);

#endif
