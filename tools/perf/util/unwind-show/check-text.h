/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares .sframe of an ELF file with its .eh_frame, as text: a line for each row that is wrong or
 * only in .sframe, one for each range of code that .sframe lacks, and the sums.
 */
#ifndef PERF_UNWIND_SHOW_CHECK_TEXT_H
#define PERF_UNWIND_SHOW_CHECK_TEXT_H

#include "../base/error.h"
#include "../text/textbuf.h"

/*
 * Compares .sframe with .eh_frame.
 * @fd: the file; borrowed
 * @path: its name, for messages
 * Returns: 0 when .sframe has no errors; 1 when it has, or cannot be used at all; -errno with
 *         words.
 */
int check__print(struct textbuf *tb, int fd, const char *path, struct error *err);

#endif
