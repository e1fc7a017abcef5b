/* SPDX-License-Identifier: GPL-2.0-only */
/* perf config: shows and changes settings. */
#ifndef PERF_CLI_CONFIG_COMMAND_H
#define PERF_CLI_CONFIG_COMMAND_H

#include "../../../lib/unwind/core/types.h"

/* As given. A run changes nothing of it. */
struct config_command_opts {
	bool user, system;        /* this file alone; neither: both */
	const char *const *words; /* "section.name", shown, or with =VALUE changed; none: all */
	size_t nr_words;
};

/* Shows and changes them. Messages are printed. Returns: the exit status. */
int config_command__run(const struct config_command_opts *opts);

#endif
