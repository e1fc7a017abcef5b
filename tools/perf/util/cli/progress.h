/* SPDX-License-Identifier: GPL-2.0-only */
/* A progress bar on stderr, drawn only when stderr is a terminal and the work takes a while. */
#ifndef PERF_CLI_PROGRESS_H
#define PERF_CLI_PROGRESS_H

#include "../base/types.h"

struct progress {
	const char *title;
	u64 next_ns;   /* when to draw again */
	bool on, drawn;
};

void progress__start(struct progress *p, const char *title);
void progress__update(void *p, u64 done, u64 total); /* fits pipeline_opts.progress */
void progress__finish(struct progress *p);           /* clears the line */

#endif
