/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples and waits one by one, for lanes of threads over time: as long as there are at most
 * SPANS_MAX of them, else none. Times are in units of 1,024 ns.
 */
#ifndef PERF_EXPORT_SPANS_H
#define PERF_EXPORT_SPANS_H

#include "export.h"

#define SPANS_MAX (1u << 19)

struct span {
	u64 time;                 /* since the first; of a wait, when it ended */
	u64 blocked, runnable;    /* of a wait, else 0 */
	u32 node, thread, waker;  /* .waker: number of a thread + 1; 0: unknown */
	bool wait;
};

struct span_thread {
	u32 pid, tid, node;       /* .node: of its last span, when they are written */
	const char *comm;         /* its last name; "": it has no span */
};

struct spans {
	u64 start;
	VEC(struct span) v;       /* as they came */
	VEC(struct span_thread) threads;
	struct map64 thread_of;   /* pid and tid -> number + 1 */
	bool too_many;
};

/* Adds a sample. @s: all zero at first */
void spans__add(struct spans *s, const struct export_sample *sample);

/*
 * Writes "threads": [pid, tid, name] of each, and "spans": varints (proto.h) in base64. Each span:
 * its thread * 4, + 1 of a wait, + 2 of one whose waker is known; how much later than the last one
 * it is; zigzag of its node less the last one's of its thread; of a wait how long it was blocked,
 * and runnable behind that; and the waker's thread.
 */
void spans__put(struct spans *s, struct textbuf *out);

/* Frees it. */
void spans__free(struct spans *s);

#endif
