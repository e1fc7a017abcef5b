/* SPDX-License-Identifier: GPL-2.0-only */
/* `perf diff --format json`: what change-text.h says, for programs; see perf-diff(1). */
#ifndef PERF_DIFF_CHANGE_JSON_H
#define PERF_DIFF_CHANGE_JSON_H

#include "change-text.h"

/* Appends a line for the event and one for each change; .limit does not matter. */
void textbuf__changes_json(struct textbuf *tb, const struct diff_findings *f,
			   const struct diff_change_opts *o);

/*
 * Appends a line of a condition, and whether it @holds.
 * @name: of the function; NULL: of the run
 */
void textbuf__limit_json(struct textbuf *tb, const struct diff_limit *l, const char *name,
			 const struct stat_change *c, bool holds);

#endif
