/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command behind `--`: forked at once, so that events can be attached to its pid, but held
 * back until workload__start() lets it exec.
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
 * To be called before the recorder changes signal masks and dispositions, which the command
 * would inherit. @to_stderr: its standard output goes to stderr, since ours carries
 * the recording.
 */
int workload__prepare(struct workload *w, const char *const argv[], bool to_stderr,
		      struct error *err);

/*
 * Lets it run. -errno of the exec when the program could not be started; -EPIPE when somebody ended
 * it before that, if the caller ignores SIGPIPE. It has ended then.
 */
int workload__start(struct workload *w, struct error *err);

/* True once it has ended; does not wait. */
bool workload__ended(struct workload *w);

/*
 * Ends it with @sig if it still runs (a prepared one that was never started goes without
 * exec), waits for it, and frees what belongs to it.
 */
void workload__finish(struct workload *w, int sig);

/* What a shell would call its exit status: 128 + n when signal n ended it. */
int workload__exit_status(const struct workload *w);

#endif
