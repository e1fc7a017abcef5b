/* SPDX-License-Identifier: GPL-2.0-only */
/* The threads of a machine, by tid. Internal to this room. */
#ifndef PERF_STATE_THREAD_H
#define PERF_STATE_THREAD_H

#include "machine.h"

struct threads {
	struct arena *arena;   /* for names */
	struct map64 by_tid;
	u32 next_maps_id;
};

void threads__free(struct threads *ts);

/* As machine__thread(). */
struct thread *threads__findnew(struct threads *ts, u32 pid, u32 tid);

void threads__fork(struct threads *ts, const struct task_record *task, bool copy_maps);

/* A new program: an empty address space for the process. */
void threads__exec(struct threads *ts, struct thread *t);

#endif
