/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of `perf report --hierarchy`: entries of the first sort key, below each of them those of
 * the second key that are a part of it, and so on; the last ones are those of the flat report.
 */
#ifndef PERF_REPORT_HIERARCHY_H
#define PERF_REPORT_HIERARCHY_H

#include "../text/report-columns.h"

/*
 * Prints the section of an event, or of a group, in place of textbuf__report().
 * @h: hist__finish() was called
 * @event_name: or the names of the group
 * @o: without a key in .columns there are no levels; .fixed_widths are not for a hierarchy
 */
void textbuf__hierarchy(struct textbuf *tb, struct hist *h, const char *event_name,
			const struct report_text_opts *o);

#endif
