/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shows the manual page of a command: the formatted page that came with this perf, since `man` may
 * find that of another perf; or its source text if it cannot be formatted.
 */
#ifndef PERF_CLI_MANUAL_H
#define PERF_CLI_MANUAL_H

/*
 * Shows a page: by man(1) on a terminal, through the pager or on plain standard output as text.
 * @topic: "record", or "perf" for the overview
 * Returns: 0; -ENOENT when there is no such page; another -errno when it cannot be read.
 */
int manual__show(const char *topic);

#endif
