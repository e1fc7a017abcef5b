/* SPDX-License-Identifier: GPL-2.0-only */
/* The texts of the page that `perf report --html` writes: tools/perf/html, as they are built in. */
#ifndef PERF_EXPORT_PAGE_H
#define PERF_EXPORT_PAGE_H

#include "../text/textbuf.h"

struct page {
	/* A word that nobody can know before: only scripts and styles that have it are believed. */
	char nonce[33];
};

/* Puts the page up to where its data belong. @p: filled */
void page__begin(struct page *p, struct textbuf *tb);

/* Puts the rest, behind the data. */
void page__end(const struct page *p, struct textbuf *tb);

/* Puts @s as a string of JSON that ends no element of a page. */
void textbuf__page_string(struct textbuf *tb, const char *s);

#endif
