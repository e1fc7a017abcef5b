/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of `perf diff`, in perf's columns: the part of the first recording, and of each other
 * one how it differs.
 */
#ifndef PERF_DIFF_TEXT_H
#define PERF_DIFF_TEXT_H

#include "../text/textbuf.h"
#include "shown.h"
#include "table.h"

struct diff_text_opts {
	const struct column_list *keys;
	const struct column_list *left_out; /* of them: columns that can have only one value */
	struct diff_order order;
	const char *const *files; /* names of the recordings */
	const char *separator;    /* -t; NULL: columns of fixed width */
	const struct diff_shown *shown; /* NULL: names as they are */
	bool baseline_only;       /* rows that the first recording has, and another */
	bool periods, formulas;   /* more columns */
	bool quiet;               /* no '#' lines */
	bool name_files;          /* in the header, also of two */
};

/* Appends the table of an event. @event_name: its name */
void textbuf__diff(struct textbuf *tb, const struct diff_table *t, const char *event_name,
		   const struct diff_text_opts *o);

#endif
