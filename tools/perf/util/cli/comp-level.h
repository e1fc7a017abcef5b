/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The option -z of commands that write recordings: -z with parameters for recordings, -zN with
 * level N of zstd.
 */
#ifndef PERF_CLI_COMP_LEVEL_H
#define PERF_CLI_COMP_LEVEL_H

#include "options.h"

/* The value is the int comp_level of struct writer_opts. */
#define OPT_COMP_LEVEL(v, h)                                                          \
	OPT_CALLBACK_OPTARG('z', "compression-level", (v), "n", (h), comp_level__parse, NULL)

/*
 * The callback of the option.
 * @arg: "N"; NULL: none
 * @unset: --no-compression-level
 * Returns: 0; negative after a message.
 */
int comp_level__parse(const struct option *opt, const char *arg, bool unset);

#endif
