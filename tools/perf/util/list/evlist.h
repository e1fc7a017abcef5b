/* SPDX-License-Identifier: GPL-2.0-only */
/* perf evlist: the events of a recording. */
#ifndef PERF_LIST_EVLIST_H
#define PERF_LIST_EVLIST_H

#include "../../../lib/unwind/core/types.h"

/* As given. A run changes nothing of it. */
struct evlist_opts {
	const char *input;  /* NULL: perf.data */
	bool force;
	bool frequency, groups, trace_fields; /* what is printed beside each name */
	int verbose;        /* all that was asked of the kernel */
};

/* Lists them. Messages are printed. Returns: the exit status. */
int evlist__run(const struct evlist_opts *opts);

#endif
