/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording consists of, without its samples' contents: `perf report --stats`, `--tasks`. */
#ifndef PERF_REPORT_OVERVIEW_H
#define PERF_REPORT_OVERVIEW_H

#include "../data/reader.h"
#include "../text/textbuf.h"

/* Prints how many records of each type there are, and samples of each event. @r: from its start */
void textbuf__stats(struct textbuf *tb, struct reader *r);

/*
 * Prints the tree of processes and threads that the recording tells of.
 * @r: from its start
 * @maps: with the mappings of each process
 */
void textbuf__tasks(struct textbuf *tb, struct reader *r, bool maps);

#endif
