/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of `perf report --json`: an object each. What they may contain is in
 * Documentation/perf-report-json.schema.json; the rule for REPORT_JSON_VERSION is that of
 * script-json.h.
 */
#ifndef PERF_REPORT_JSON_H
#define PERF_REPORT_JSON_H

#include "../text/report-text.h"

#define REPORT_JSON_VERSION 1

/* The first line. @lost: records that were lost while recording. */
void report_json__header(struct textbuf *tb, const struct recording *r, u64 lost);

/*
 * A line for the event, or the group of events, and one for each entry, with its call graph.
 * @names: of the events of @h.
 */
void report_json__event(struct textbuf *tb, struct hist *h, const char *const *names,
			const struct report_text_opts *o);

/* The last line. @complete: nothing of the recording was damaged. */
void report_json__end(struct textbuf *tb, bool complete);

#endif
