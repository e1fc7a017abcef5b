/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command behind `--`: forked early, so that events can be attached to its pid. It waits until
 * workload__start() lets it exec.
 */
#ifndef PERF_RECORD_WORKLOAD_H
#define PERF_RECORD_WORKLOAD_H

#include <sys/types.h>

#include "../base/error.h"

struct workload {
	pid_t pid;       /* 0: none */
	int go_fd;       /* a byte written here starts it */
	int failed_fd;   /* brings the errno of a failed exec, or end of file */
	bool reaped;
	int wait_status; /* of waitpid(), once reaped */
};

/*
 * Forks the command, which waits. To be called before the recorder changes signal masks and
 * dispositions, which the command would inherit.
 * @w: filled; for workload__finish()
 * @argv: the command, with a NULL at its end
 * @to_stderr: its standard output goes to stderr, since the recorder's carries the recording
 * Returns: 0, or -errno with words.
 */
int workload__prepare(struct workload *w, const char *const argv[], bool to_stderr,
		      struct error *err);

/*
 * Lets it exec.
 * Returns: 0; -EPIPE with words when it was killed before that, if the caller ignores SIGPIPE.
 *         After an error it has ended.
 */
int workload__start(struct workload *w, struct error *err);

/*
 * Waits until the program runs, or cannot be run. That takes for ever when its file system does not
 * answer, so the caller may have something else to look at.
 * @other_fd: becomes readable then, as for each SIGCHLD; -1: none
 * Returns: 0 when it has begun, or has ended; 1 when only @other_fd is readable; -errno of the exec
 *         with words.
 */
int workload__await_exec(struct workload *w, int other_fd, struct error *err);

/* Returns: true once it has ended. Does not wait. */
bool workload__ended(struct workload *w);

/*
 * Ends it with the signal @sig if it still runs (a prepared one that was never started ends without
 * exec), waits for it, and frees what belongs to it.
 */
void workload__finish(struct workload *w, int sig);

/* Frees what belongs to it without waiting for its end. */
void workload__leave(struct workload *w);

/* Returns: its exit status, as a shell has it: 128 + n when signal n ended it. */
int workload__exit_status(const struct workload *w);

#endif
