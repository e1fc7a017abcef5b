/* SPDX-License-Identifier: GPL-2.0-only */
/* Long output through $PERF_PAGER, $PAGER or less, when stdout is a terminal. */
#ifndef PERF_CLI_PAGER_H
#define PERF_CLI_PAGER_H

void pager__start(void);
void pager__wait(void); /* closes stdout and waits for the pager; called before exit */

#endif
