/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of `perf report --stdio`: a section per event, with a header of '#' lines, a line
 * per entry in perf's columns, and the entry's call tree below it.
 */
#ifndef PERF_TEXT_REPORT_TEXT_H
#define PERF_TEXT_REPORT_TEXT_H

#include "report-columns.h"

/*
 * Prints the lines above the titles: how many samples of what, and what they sum up to.
 * @event_name: or the names of the group
 */
void textbuf__report_counts(struct textbuf *tb, const struct report_columns *columns,
			    const char *event_name);

/*
 * Prints the section of an event, or of a group. Lines about all events (lost samples) are printed
 * by the caller.
 * @event_name: or the names of the group
 */
void textbuf__report(struct textbuf *tb, struct hist *h, const char *event_name,
		     const struct report_text_opts *o);

#endif
