/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Showing the manual of a command: the formatted page that came with this very perf, as `man` may
 * well find that of another one, or where it cannot be formatted, the text that it is made of.
 */
#ifndef PERF_CLI_MANUAL_H
#define PERF_CLI_MANUAL_H

/*
 * @topic: "record", or "perf" for the overview. Shown by man(1) on a terminal, through the pager or
 * on plain standard output as text. 0; -ENOENT when there is no manual of that; another -errno when
 * it cannot be read.
 */
int manual__show(const char *topic);

#endif
