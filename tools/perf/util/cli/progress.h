/* SPDX-License-Identifier: GPL-2.0-only */
/* A progress bar on stderr, drawn only when stderr is a terminal and the work takes a while. */
#ifndef PERF_CLI_PROGRESS_H
#define PERF_CLI_PROGRESS_H

#include "../../../lib/unwind/core/types.h"

struct progress {
	const char *title;
	u64 next_ns;   /* when to draw again */
	bool on, drawn;
};

/* Begins; nothing is drawn for short work. @title: borrowed. */
void progress__start(struct progress *p, const char *title);

/*
 * Draws the bar, when it is time. As pipeline_opts.progress.
 * @p: the struct progress
 * @done, @total: in any unit
 * Returns: 0
 */
int progress__update(void *p, u64 done, u64 total);

/* Clears the line. */
void progress__finish(struct progress *p);

#endif
