/* SPDX-License-Identifier: GPL-2.0-only */
/* perf inject: what the user wants, and the run that does and describes it. */
#ifndef PERF_INJECT_COMMAND_H
#define PERF_INJECT_COMMAND_H

#include "inject.h"

/* As given. A run changes nothing of it. */
struct inject_command_opts {
	const char *input;         /* "-" is stdin */
	bool force;
	struct inject_opts inject; /* the run sets its progress */
};

/* Writes the recording again. Messages are printed. Returns: the exit status. */
int inject_command__run(const struct inject_command_opts *opts);

#endif
