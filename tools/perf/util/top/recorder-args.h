/* SPDX-License-Identifier: GPL-2.0-only */
/* perf top: the command line of its recorder, as its own options make it. */
#ifndef PERF_TOP_RECORDER_ARGS_H
#define PERF_TOP_RECORDER_ARGS_H

#include "../base/mem.h"
#include "../base/vec.h"
#include "../cli/options.h"

struct recorder_args {
	VEC(const char *) v;     /* after recorder_args__finish(): with NULL at the end */
	struct arena *arena;     /* of them */
	const char *cpus, *pids, *tids, *uid, *defer_arg; /* as given */
	bool all, chains, defer;
};

/* Begins the command line. @t: all zero; for recorder_args__free() */
void recorder_args__begin(struct recorder_args *t);

/*
 * The callbacks of options, with a struct recorder_args: those that are perf record's, in the order
 * in which they were given; --call-graph; --defer.
 * @arg: the argument, if there is one
 * @unset: it is the --no- form
 * Returns: 0.
 */
int recorder_args__pass_on(const struct option *opt, const char *arg, bool unset);
int recorder_args__chains(const struct option *opt, const char *arg, bool unset);
int recorder_args__defer(const struct option *opt, const char *arg, bool unset);

/* Adds what the other options mean, and ends the command line. */
void recorder_args__finish(struct recorder_args *t);

/* Frees the command line. */
void recorder_args__free(struct recorder_args *t);

#endif
