/* SPDX-License-Identifier: GPL-2.0-only */
/* --demangle: how names of functions are shown to people. */
#ifndef PERF_CLI_NAME_OPTIONS_H
#define PERF_CLI_NAME_OPTIONS_H

#include "../symbol/short-names.h"
#include "options.h"

struct name_opts {
	bool mangled; /* as in the file */
	bool full;    /* as the demangler has them */
};

/* @name_opts: all zero is the default */
#define OPT_NAMES(name_opts)                                                                  \
	OPT_CALLBACK_OPTARG(0, "demangle", &(name_opts), "full|short", "print C++, Rust and " \
			    "D names as in the source (default), short for people, or full",  \
			    name_options__demangle, "short")

/*
 * Of OPT_NAMES(), whose value is a struct name_opts.
 * @arg: "full" or "short"
 * @unset: --no-demangle
 * Returns: 0; -1: @arg is neither, which was printed.
 */
int name_options__demangle(const struct option *opt, const char *arg, bool unset);

/* Returns: how names are shown to people. */
static inline enum name_style name_opts__style(const struct name_opts *o)
{
	return o->mangled || o->full ? NAMES_APART : NAMES_SHORT;
}

#endif
