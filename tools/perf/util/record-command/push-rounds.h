/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What perf record --push does with the files of its rounds: each is given to a `perf data push` of
 * its own, one at a time, which removes it when its profile is in the spool. So a store that does
 * not answer costs the recorder nothing. A file that is still there afterwards is tried again with
 * the next round, and left after some times.
 */
#ifndef PERF_RECORD_COMMAND_PUSH_ROUNDS_H
#define PERF_RECORD_COMMAND_PUSH_ROUNDS_H

#include <sys/types.h>

#include "../base/vec.h"

struct push_round {
	char *file;               /* owned */
	u32 tries;
};

/* All zero but .url is one without files. */
struct push_rounds {
	const char *url;
	VEC(struct push_round) rounds; /* that wait for their turn, the oldest first */
	struct push_round now;    /* that of .child */
	pid_t child;              /* that runs; 0: none */
	u32 nr_failed;            /* processes that have said that something is left */
};

/* Adds @file, which is finished, and goes on if nothing is being sent. */
void push_rounds__add(struct push_rounds *p, const char *file);

/* Sends what is left, and frees all; words are printed of what was not sent. */
void push_rounds__finish(struct push_rounds *p);

#endif
