/* SPDX-License-Identifier: GPL-2.0-only */
/* Long output through $PERF_PAGER, $PAGER or less, when stdout is a terminal. */
#ifndef PERF_CLI_PAGER_H
#define PERF_CLI_PAGER_H

#include "../text/textbuf.h"

/* Starts the pager, if it is due, and puts it behind stdout. */
void pager__start(void);

/* Returns: whether pager__start() would start one. */
bool pager__is_due(void);

/*
 * Makes a textbuf of standard output. It is harmless to a terminal, which may be behind it directly
 * or behind the pager, running or yet to be started.
 */
void pager__textbuf(struct textbuf *tb);

/* Closes stdout and waits for the pager. To be called before exit. */
void pager__wait(void);

#endif
