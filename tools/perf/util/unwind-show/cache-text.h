/* SPDX-License-Identifier: GPL-2.0-only */
/* perf unwind cache: the row tables that are kept on disk. */
#ifndef PERF_UNWIND_SHOW_CACHE_TEXT_H
#define PERF_UNWIND_SHOW_CACHE_TEXT_H

#include "../base/error.h"
#include "../text/textbuf.h"

/*
 * Prints a line for each file, which is read and checked.
 * @dir: see rows_dir__open()
 * Returns: 0; -EBADMSG with words when a file cannot be used; another -errno.
 */
int cache_text__list(struct textbuf *tb, int dir, struct error *err);

/* Removes the files in @dir, and says how many. Returns 0, or -errno with words. */
int cache_text__clear(struct textbuf *tb, int dir, struct error *err);

#endif
