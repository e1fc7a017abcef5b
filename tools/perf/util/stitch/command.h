/* SPDX-License-Identifier: GPL-2.0-only */
/* perf stitch: what the user wants, and the run that does and describes it. */
#ifndef PERF_STITCH_COMMAND_H
#define PERF_STITCH_COMMAND_H

#include "../stack/filter.h"
#include "stitch.h"

/* As given. A run changes nothing of it. */
struct stitch_command_opts {
	const char *input;         /* "-" is stdin */
	bool force;
	struct filter_args only;
	bool stats, json, details; /* figures, as in stitch-text.h */
	/* .output: NULL: stitch__default_output(). The run sets filter, sinks and progress. */
	struct stitch_opts stitch;
};

/* Stitches the recording. Messages are printed. Returns: the exit status. */
int stitch_command__run(const struct stitch_command_opts *opts);

#endif
