/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options that several commands have: -z of those that write recordings, with parameters for
 * recordings, or -zN with level N of zstd; --unwind-style of Linux perf, a list of the libraries
 * that unwind stack copies.
 */
#ifndef PERF_CLI_SHARED_OPTIONS_H
#define PERF_CLI_SHARED_OPTIONS_H

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

/* @list: a const char *, as of --unwind (see OPT_UNWIND_SOURCES()) */
#define OPT_UNWIND_STYLE(list)                                                                \
	OPT_CALLBACK(0, "unwind-style", &(list), "list",                                      \
		     "'libdw', the same as --unwind libdw", unwind_style__parse)

/*
 * Of 'libdw' and 'libunwind' in a list the first one that there is counts, as in Linux perf, so
 * 'libunwind' alone is refused.
 * @opt: the option, whose value is the list of --unwind
 * @arg, @unset: as for all callbacks of options
 * Returns: 0; -1 with words.
 */
int unwind_style__parse(const struct option *opt, const char *arg, bool unset);

#endif
