/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of `perf report --stdio`: a section per event, with a header of '#' lines, a line
 * per entry in perf's columns, and the entry's call tree below it.
 */
#ifndef PERF_TEXT_REPORT_TEXT_H
#define PERF_TEXT_REPORT_TEXT_H

#include "chain-text.h"

struct report_text_opts {
	struct column_list columns;  /* what is printed, from left to right */
	struct chain_opts chains;
	double min_percent;          /* entries with less are left out */
	bool relative;               /* 100 % are the samples that pass the filters */
	bool latency;                /* periods are those of --latency */
	bool quiet;                  /* no '#' lines */
	bool skip_own_name;          /* of trees that begin with the symbol of their entry */
	const char *time;            /* --time as given, for the header; or NULL */
	const char *separator;       /* -t; NULL: columns of fixed width */
};

/*
 * Prints the section of an event, or of a group. Lines about all events (lost samples) are printed
 * by the caller.
 * @event_name: or the names of the group
 */
void textbuf__report(struct textbuf *tb, struct hist *h, const char *event_name,
		     const struct report_text_opts *o);

#endif
