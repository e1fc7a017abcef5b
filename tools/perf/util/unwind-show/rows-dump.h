/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The row table of an ELF file as text: a line "NAME:" where a function begins, and one line per
 * row, "START-END SOURCE RULE".
 */
#ifndef PERF_UNWIND_SHOW_ROWS_DUMP_H
#define PERF_UNWIND_SHOW_ROWS_DUMP_H

#include "../base/error.h"
#include "../../../lib/unwind/source/sources.h"
#include "../text/textbuf.h"

/*
 * Prints the rows of a file.
 * @fd: the file; borrowed
 * @path: its name, for messages
 * @where: an address (0x...) to print the row of, a function to print the rows of; NULL: all rows
 * @sources: the sections to use, in this order
 * Returns: 0, or -errno with words.
 */
int rows__dump(struct textbuf *tb, int fd, const char *path, const char *where,
	       const struct unwind_sources *sources, struct error *err);

#endif
