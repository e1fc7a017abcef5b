/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf top: what perf report shows, while it is being recorded. Two processes: one is perf record
 * with its privileges, and writes a pipe; this one shows what comes, and gives up what it may do.
 */
#ifndef PERF_TOP_TOP_H
#define PERF_TOP_TOP_H

#include "../report/report.h"
#include "recorder-args.h"

struct top_opts {
	struct report_opts report;     /* .live is set by the run */
	struct report_live_opts live;  /* .fd, the same */
	const char *delay;             /* seconds, as given; NULL: two */
	/*
	 * The recorder, cmd_record().
	 * @argv: ends with NULL
	 */
	int (*recorder)(int argc, const char **argv);
	const struct recorder_args *args; /* its command line */
};

/*
 * Checks what options have said, and takes the delay.
 * @t: .live.delay_ns is set
 * Returns: 0; -EINVAL with words, which name the options.
 */
int top_opts__finish(struct top_opts *t, struct error *err);

/*
 * Records and shows, until the user has seen enough or the recorder ends.
 * Returns: the exit status.
 */
int top__run(const struct top_opts *opts);

#endif
