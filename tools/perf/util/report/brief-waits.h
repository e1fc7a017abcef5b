/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What threads wait for, of a recording with the event `offcpu-time`: by the functions of the
 * kernel that they wait in, those of libraries that called these, and the function of the program
 * that asked for it. Runnable time is no wait for anything but a CPU, and is kept apart.
 */
#ifndef PERF_REPORT_BRIEF_WAITS_H
#define PERF_REPORT_BRIEF_WAITS_H

#include "../profile/hist.h"

enum wait_for {
	WAIT_OTHER,
	WAIT_LOCK,
	WAIT_CONDITION,
	WAIT_THREAD,     /* its end: pthread_join() */
	WAIT_SEMAPHORE,
	WAIT_BARRIER,
	WAIT_FUTEX,      /* none of these is known to use it */
	WAIT_SLEEP,
	WAIT_DISK,       /* files: read, written or flushed */
	WAIT_PIPE,
	WAIT_NETWORK,
	WAIT_SOCKET,     /* of this machine */
	WAIT_TERMINAL,
	WAIT_CHILD,
	WAIT_POLL,       /* events of several descriptors */
	WAIT_NOTICE,     /* eventfd, timerfd, inotify, signalfd */
	WAIT_SIGNAL,
	WAIT_FILE_LOCK,
	WAIT_MESSAGE,    /* of a queue */
	WAIT_KERNEL_LOCK,
	WAIT_KINDS
};

struct brief_wait {
	enum wait_for what;
	bool runnable;         /* it had no CPU: .what is WAIT_OTHER */
	u32 frame;             /* the function that waits: a frame; 0: none is known */
	const char *object;    /* "fd 3", "futex 0x12"; "": unknown */
	const char *waker;     /* who ended it: "   12:name", "[interrupt]"; "": unknown */
	u64 ns;
	u32 nr;
};

#define BRIEF_BLOCKED 8
#define BRIEF_RUNNABLE 4

struct brief_waits {
	u64 blocked, runnable; /* ns, of all samples */
	struct brief_wait v[BRIEF_BLOCKED + BRIEF_RUNNABLE]; /* the largest, in descending order */
	u32 nr;
};

/*
 * Finds them.
 * @h: of the event `offcpu-time`, with the keys of brief_waits__keys()
 * @within: only those of stacks with a function of this name; NULL: all
 */
void brief_waits__make(struct brief_waits *w, const struct hist *h, const char *within);

/* Adds the keys that are needed to @keys. */
void brief_waits__keys(struct column_list *keys);

/* Returns: what it is in words, to be put behind "for": "a lock". */
const char *wait_for__text(enum wait_for what);

#endif
