/* SPDX-License-Identifier: GPL-2.0-only */
/* `perf report --about`: what there is to say of one function, in some 30 lines, or as JSON. */
#ifndef PERF_REPORT_ABOUT_TEXT_H
#define PERF_REPORT_ABOUT_TEXT_H

#include "about.h"
#include "brief-text.h"

/* Prints the page. @a: the facts about @h; @name: the function that was asked for */
void textbuf__about(struct textbuf *tb, const struct about *a, struct hist *h,
		    const struct brief_text_opts *o, const char *name);

/*
 * The same as an object on a line: "about" of Documentation/perf-report-json.schema.json.
 * @name: the function that was asked for
 */
void textbuf__about_json(struct textbuf *tb, const struct about *a, struct hist *h,
			 const struct brief_text_opts *o, const char *name);

#endif
