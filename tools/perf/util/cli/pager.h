/* SPDX-License-Identifier: GPL-2.0-only */
/* Long output through $PERF_PAGER, $PAGER or less, when stdout is a terminal. */
#ifndef PERF_CLI_PAGER_H
#define PERF_CLI_PAGER_H

#include "../base/error.h"
#include "../text/textbuf.h"

/*
 * Puts a pager behind stdout, if that is a terminal and the user wants one. It shows itself at the
 * first output: to be called before anything is read, since it has all rights of the user.
 */
void pager__start(void);

/*
 * Makes a textbuf of standard output. It is harmless to a terminal, which may be behind it directly
 * or behind the pager, running or yet to be started.
 */
void pager__textbuf(struct textbuf *tb);

/*
 * Writes what is left of a text on standard output. A reader that is gone (EPIPE) is no error.
 * @ret: what has happened before
 * Returns: @ret unless it is 0; else 0, or -errno with words.
 */
int pager__flush(struct textbuf *tb, int ret, struct error *err);

/* Closes stdout and waits for the pager. To be called before exit. */
void pager__wait(void);

#endif
