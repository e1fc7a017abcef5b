/* SPDX-License-Identifier: GPL-2.0-only */
/* Long output through $PERF_PAGER, $PAGER or less, when stdout is a terminal. */
#ifndef PERF_CLI_PAGER_H
#define PERF_CLI_PAGER_H

#include "../text/textbuf.h"

void pager__start(void);
bool pager__is_due(void); /* pager__start() would start one */

/*
 * A textbuf of standard output: harmless to the terminal that is behind it, be it there at once or
 * behind the pager, whether that runs by now or not.
 */
void pager__textbuf(struct textbuf *tb);
void pager__wait(void); /* closes stdout and waits for the pager; called before exit */

#endif
