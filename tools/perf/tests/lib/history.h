/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes histories of threads that enter the kernel, are sampled there, move between CPUs, sleep,
 * exec, exit and come again under an old number, as a kernel with deferred callchains would
 * record them, and knows the truth about every sample. A seed and a number of steps say all;
 * fewer steps of the same seed are the beginning of the same history.
 */
#ifndef PERF_TESTS_LIB_HISTORY_H
#define PERF_TESTS_LIB_HISTORY_H

#include "../../util/base/vec.h"
#include "builder.h"

/* What may happen. Some things make each other's truth ambiguous, so they are chosen. */
enum history_spice {
	HISTORY_LOSS = 1,       /* records are lost, alone and in ranges */
	HISTORY_EXEC = 2,
	HISTORY_EXIT = 4,       /* and numbers of threads are used again */
	HISTORY_DUPLICATES = 8, /* records twice, stretches of a buffer twice */
	HISTORY_SKEW = 16,      /* clocks of CPUs differ */
	HISTORY_WRAP = 32,      /* cookies come again soon */
	HISTORY_SESSIONS = 64,  /* user parts for samples of another session */
	HISTORY_NO_TIME = 128,  /* and a buffer for each thread: see history_opts.cpus */
	HISTORY_REVERSED = 256, /* buffers were written over and from behind, and read at the end */
	HISTORY_REBOOT = 512,   /* cookies and threads begin again, in one file */
	HISTORY_GUESTS = 1024,  /* samples while a thread runs a guest */
};

struct history_opts {
	u64 seed;
	u32 steps, threads, spice;
	u32 cpus; /* that is, buffers; with HISTORY_NO_TIME one for each thread */
};

/* What is true of the sample whose ip is HISTORY_IP + its index. */
struct history_truth {
	u64 user;      /* first address of its user part, others follow; 0: there is none */
	u32 nr_user;
	u32 comm;      /* its thread's name is "p" and this number */
	u32 copies;    /* how often it is in the recording: 0 when it was lost */
	bool deferred, cookie, empty;
};

#define HISTORY_IP 0xffffffff81000000
#define HISTORY_USER 0x10000

struct history {
	struct builder *b;
	VEC(struct history_truth) truth;
};

void history__make(struct history *h, const struct history_opts *opts);
void history__free(struct history *h);

#endif
