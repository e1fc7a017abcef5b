/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls that may never return, such as opening a file of a file system that somebody else's program
 * or machine serves. They are made by another process, which is left behind when it takes too long:
 * a thread would not do, since a request that FUSE has passed on cannot even be killed, and keeps
 * the process of its thread from ending.
 *
 * For one thread. It forks at the first request, and again after one that was not answered.
 */
#ifndef PERF_IO_SIDE_PROCESS_H
#define PERF_IO_SIDE_PROCESS_H

#include "../base/types.h"
#include "sandbox.h"

#define SIDE_PROCESS_MAX 131072 /* bytes of a request, and of an answer */

/*
 * What the other process does: @request to @answer, of the sizes that side_process__new() was told.
 * Returns a descriptor that is passed on, or -1. It has no open files but its own, no threads, and
 * of @ctx what that was when the process was forked.
 */
typedef int (*side_process_fn)(void *ctx, const void *request, void *answer);

struct side_process_opts {
	side_process_fn serve;
	void *ctx;
	size_t request_size, answer_size;
	u64 privileges; /* it has no capabilities but these; see privileges.h */
	const struct sandbox_limits *sandbox; /* it enters one; NULL: none, as tests want it */
	u32 limit_ms; /* how long it may take; less and less after requests that took longer */
};

struct side_process;

struct side_process *side_process__new(const struct side_process_opts *opts);
void side_process__free(struct side_process *p); /* NULL is fine */

/*
 * 0: @answer is filled, and *fd (or -1) is the caller's. -ETIMEDOUT: there was no answer in time,
 * or so many others were not answered that it is not asked any more. -EPIPE: the process has died.
 * Or another -errno.
 */
int side_process__ask(struct side_process *p, const void *request, void *answer, int *fd);

/* Number of requests without an answer, because of a timeout or because the process has died. */
u32 side_process__nr_unanswered(const struct side_process *p);

#endif
