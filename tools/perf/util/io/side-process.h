/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls that may never return, such as opening a file of a file system that somebody else's program
 * or machine serves. They are made by another process, which is left behind when it takes too long:
 * a thread would not do, since a request that FUSE has passed on cannot even be killed, and keeps
 * the process of its thread from ending.
 *
 * Or calls that compute for too long. These are judged by the CPU time that the process has used
 * for the request, so that a busy machine makes no difference.
 *
 * For one thread. It forks at the first request, and again after one that was not answered.
 */
#ifndef PERF_IO_SIDE_PROCESS_H
#define PERF_IO_SIDE_PROCESS_H

#include "../../../lib/unwind/core/types.h"
#include "sandbox.h"

#define SIDE_PROCESS_MAX 131072 /* bytes of a request, and of an answer */
/* Whoever makes one process hang can do so again, and each costs memory: this many at most. */
#define SIDE_PROCESS_MAX_UNANSWERED 16
#define SIDE_PROCESS_READY 2

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
	/*
	 * How long it may take, while it waits for something; it may compute for 20 times as long.
	 * Less and less after requests that took longer.
	 */
	u32 limit_ms;
	/*
	 * Called ten times a second while an answer is waited for, with .ctx; NULL: not. When it
	 * returns false the process is left behind, as after .limit_ms.
	 */
	bool (*tick)(void *ctx);
	u32 cpu_ms;     /* CPU time that a request may take, less and less, too; 0: any */
	u32 all_cpu_ms; /* of all requests that took more than 1 ms of it together; 0: any */
};

struct side_process;

/*
 * @opts: copied; what it points to must outlive the process
 * Returns: what side_process__free() frees. Nothing is forked yet.
 */
struct side_process *side_process__new(const struct side_process_opts *opts);

/*
 * Forks processes before they are needed: for who is confined then, and whose forks would be so.
 * @nr: as many, SIDE_PROCESS_READY at most; each is used when the one before it is left behind
 */
void side_process__prepare(struct side_process *p, u32 nr);

/* Leaves the process behind. @p may be NULL. */
void side_process__free(struct side_process *p);

/*
 * Sends a request and waits for the answer, within the time limit.
 * @request, @answer: of the sizes that side_process__new() was told; @answer is filled on success
 * @fd: out: a descriptor, the caller's; -1: none was passed
 * Returns: 0; -ETIMEDOUT: there was no answer in time; -EPIPE: the process has died; -EDQUOT: it is
 *         not asked any more, since SIDE_PROCESS_MAX_UNANSWERED requests were not answered, or all
 *         have taken .all_cpu_ms; another -errno.
 */
int side_process__ask(struct side_process *p, const void *request, void *answer, int *fd);

/*
 * Returns: the number of requests without an answer, because of a timeout or because the process
 *         has died.
 */
u32 side_process__nr_unanswered(const struct side_process *p);

/* Returns: the CPU time of the last request in ns; may be 0 if that was less than 1 ms. */
u64 side_process__cpu_ns(const struct side_process *p);

#endif
