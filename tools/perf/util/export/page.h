/* SPDX-License-Identifier: GPL-2.0-only */
/* The texts of the page that `perf report --html` writes: tools/perf/html, as they are built in. */
#ifndef PERF_EXPORT_PAGE_H
#define PERF_EXPORT_PAGE_H

#include "../text/textbuf.h"

/*
 * Puts the page up to where its data belong.
 * @nonce: a word that nobody can know before: only scripts and styles that have it are believed
 */
void page__begin(struct textbuf *tb, const char *nonce);

/* Puts the rest, behind the data. @nonce: the same */
void page__end(struct textbuf *tb, const char *nonce);

#endif
