/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line of words for a record that is not a sample, as `perf script --show-mmap-events` and
 * `perf report -D` print it: "PERF_RECORD_COMM exec: python3:7/7".
 */
#ifndef PERF_TEXT_EVENT_TEXT_H
#define PERF_TEXT_EVENT_TEXT_H

#include "../data/record.h"
#include "textbuf.h"

/* Prints a record and a newline. A record whose contents do not fit is printed as its name only. */
void textbuf__record(struct textbuf *tb, const struct record *rec);

#endif
