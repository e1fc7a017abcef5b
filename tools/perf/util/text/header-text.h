/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What `--header` and `--header-only` print about a recording, each line with "# " in front, in
 * perf's words so that scripts find "# cmdline : " and the others.
 */
#ifndef PERF_TEXT_HEADER_TEXT_H
#define PERF_TEXT_HEADER_TEXT_H

#include "../data/reader.h"
#include "textbuf.h"

/* Prints what the recording says about itself. */
void textbuf__header(struct textbuf *tb, const struct reader *r);

#endif
