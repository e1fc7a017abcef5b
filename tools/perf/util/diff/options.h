/* SPDX-License-Identifier: GPL-2.0-only */
/* perf diff: the options that are more than a value, and what follows from all. */
#ifndef PERF_DIFF_OPTIONS_H
#define PERF_DIFF_OPTIONS_H

#include "../cli/options.h"
#include "diff.h"

/* What perfconfig says. */
void diff_opts__take_settings(struct diff_opts *d);

/*
 * Completes what options have said. Mistakes of the user end the command, with the usage.
 * @argc, @argv: arguments that are no options
 * @nr_after: how many of them stood behind a "--"
 * @options, @usage: of the command
 */
void diff_opts__finish(struct diff_opts *d, int argc, const char **argv, u32 nr_after,
		       const struct option *options, const char *const usage[]);

/* Frees what options have allocated. */
void diff_opts__free(struct diff_opts *d);

/*
 * The callback of --fail-if.
 * @opt: .value is a struct diff_opts
 * @arg: the condition
 * @unset: does not occur
 * Returns: 0; -1: it is wrong, and that was printed.
 */
int diff_options__limit(const struct option *opt, const char *arg, bool unset);

/* @d: a struct diff_opts */
#define DIFF_RUNS_OPTIONS(d)                                                                  \
	OPT_GROUP("Groups of runs"),                                                          \
	OPT_BOOL(0, "runs", &(d).runs, "compare groups of repeated runs, before -- after: "   \
				       "list changes larger than chance"),                    \
	OPT_BOOL(0, "paired", &(d).groups.paired, "the nth runs before and after were "       \
		 "recorded in turns: compare them in pairs (implies --runs)"),                \
	OPT_BOOL(0, "paths", &(d).with_paths, "compare paths, too (implies --runs)"),         \
	OPT_STRING(0, "normalize", &(d).normalize, "cycles|samples|time|run",                 \
		   "compare shares of event counts (default) or of samples, counts per "      \
		   "second, or counts of a run"),                                             \
	{ .type = OPTION_CALLBACK, .long_name = "fail-if", .value = &(d),                     \
	  .argh = "condition", .callback = diff_options__limit, .flags = OPT_NONEG,           \
	  .help = "end with status 2 if it holds: 'self(FUNC) > +3%', 'total(FUNC) > 1pp', "  \
		  "'any > 5%', 'run > 2%' (implies --runs)" },                                \
	OPT_STRING(0, "format", &(d).format, "text|markdown|json",                            \
		   "how --runs prints; markdown and json imply it"),                          \
	OPT_STRING(0, "confidence", &(d).confidence, "percent",                               \
		   "confidence confidence of intervals; the rest is the part of the list "    \
		   "that may be chance (99)"),                                                \
	OPT_UINT(0, "limit", &(d).changes.limit, "n", "lines of each list (20; 0: all)"),     \
	OPT_BOOL(0, "all", &(d).changes.all, "also list changes that may be chance")

#endif
