/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function's annotated code on the terminal: walked with keys, from jump to target and from call
 * to callee. The screen is open.
 */
#ifndef PERF_ANNOTATE_VIEW_H
#define PERF_ANNOTATE_VIEW_H

#include "text.h"

/*
 * Shows the code until the user goes back, or on.
 * @title: a line above it
 * @at: the line of the listing that is selected at first; the number of lines: the hottest one.
 *      out: the one that was selected last
 * @opts: .column and .type are changed by keys
 * Returns: 0: back; else the address, in the table of the dso, of what the user wants to see
 *         instead: another function that this one calls.
 */
u64 annotate_view__run(const struct annotation *a, const char *title, size_t *at,
		       struct annotate_text_opts *opts);

#endif
