/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `perf report --brief --json`: the page of brief-text.h as one object, a line for each event. What
 * it may contain is in Documentation/perf-report-json.schema.json ("brief"). Its lists are as short
 * as those of the page, and notes and commands are the same words.
 */
#ifndef PERF_REPORT_BRIEF_JSON_H
#define PERF_REPORT_BRIEF_JSON_H

#include "brief-text.h"

/* Appends the line about an event. @b: the facts about @h */
void textbuf__brief_json(struct textbuf *tb, const struct brief *b, struct hist *h,
			 const struct brief_text_opts *o);

#endif
