/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of columns with separators (-t), which spreadsheets read: what begins with =, +, - or @
 * there is a formula, which may run programs and send other cells somewhere.
 */
#ifndef PERF_TEXT_CELLS_H
#define PERF_TEXT_CELLS_H

#include <stddef.h>

#define CELLS_GROWTH 2 /* cells__disarm() makes text longer by this factor at most */

/*
 * Copies lines, with an apostrophe in front of each cell that a spreadsheet would compute, or would
 * take for a quoted one: a cell is text then. Blanks in front of a cell are skipped; numbers with a
 * sign stay as they are.
 * @out: room for CELLS_GROWTH * @len bytes
 * @text: @len bytes, from the begin of a line on
 * @separators: each of these characters ends a cell
 * Returns: the bytes written.
 */
size_t cells__disarm(char *out, const char *text, size_t len, const char *separators);

#endif
