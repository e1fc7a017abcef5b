/* SPDX-License-Identifier: GPL-2.0-only */
/* perf list: the events that can be recorded, as text, as JSON or as names alone. */
#ifndef PERF_LIST_LIST_H
#define PERF_LIST_LIST_H

#include "../../../lib/unwind/core/types.h"

/* As given. A run changes nothing of it. */
struct list_opts {
	bool desc, long_desc, details; /* what is printed beside each name */
	bool json, raw_dump;           /* the form; neither: text */
	const char *unit;              /* only events of this PMU; NULL: all */
	const char *output;            /* a file; NULL: standard output */
	const char *const *words;      /* kinds of events and patterns; none: all */
	size_t nr_words;
};

/* Lists them. Messages are printed. Returns: the exit status. */
int list__run(const struct list_opts *opts);

#endif
