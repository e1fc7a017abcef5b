/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The raw dump of `perf report -D` and `perf script -D`: every record in file order with its
 * offset, its bytes and, for known types, its contents in words. Nothing is ordered, matched,
 * unwound or resolved here: this shows what the recording really contains.
 */
#ifndef PERF_TEXT_DUMP_H
#define PERF_TEXT_DUMP_H

#include "../data/reader.h"
#include "textbuf.h"

/*
 * Prints all records of the reader's present pass. Ends early when the output fails.
 * Returns: 0, or tb->error.
 */
int textbuf__dump(struct textbuf *tb, struct reader *r);

#endif
