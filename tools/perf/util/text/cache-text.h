/* SPDX-License-Identifier: GPL-2.0-only */
/* perf unwind cache: the row tables that are kept on disk. */
#ifndef PERF_TEXT_CACHE_TEXT_H
#define PERF_TEXT_CACHE_TEXT_H

#include "../base/error.h"
#include "textbuf.h"

/*
 * A line for each file in @dir, see rows_dir__open(), which is read and checked. -EBADMSG with
 * words when one cannot be used.
 */
int cache_text__list(struct textbuf *tb, int dir, struct error *err);

/* Removes the files. */
int cache_text__clear(struct textbuf *tb, int dir, struct error *err);

#endif
