/* SPDX-License-Identifier: GPL-2.0-only */
/* The threads of a machine, by tid. Internal to this room. */
#ifndef PERF_STATE_THREAD_H
#define PERF_STATE_THREAD_H

#include "maps.h"

#define THREADS_EXITED_MAX 4096 /* that are kept for late records, when exited ones are forgotten */

/* A thread that exited, unless another one has its tid by now. */
struct exited_thread {
	u32 tid;
	u64 serial;
};

struct threads {
	struct arena *arena;   /* for names */
	struct map_pool *pool;
	struct map64 by_tid;
	u32 next_maps_id;
	u64 next_serial;
	struct maps *none;     /* of exited threads, when they are forgotten */
	struct exited_thread *exited; /* a ring of THREADS_EXITED_MAX; NULL: nothing is forgotten */
	u64 nr_exited;
};

/*
 * @arena: for names; borrowed
 * @pool: for maps; borrowed
 */
void threads__init(struct threads *ts, struct arena *arena, struct map_pool *pool);

/* Frees all threads. */
void threads__free(struct threads *ts);

/* As machine__thread(), with @pid and @tid. Returns the thread, never NULL. */
struct thread *threads__findnew(struct threads *ts, u32 pid, u32 tid);

/* Makes the task of a FORK record. @copy_maps: a new process gets a copy of its parent's maps. */
void threads__fork(struct threads *ts, const struct task_record *task, bool copy_maps);

/* @t has exited. It stays for late records. */
void threads__exit(struct threads *ts, struct thread *t);

/*
 * Names a thread. Names are interned, since those of a recording are kept. Where tasks are
 * forgotten, each has its own: a task may change its name as often as it likes.
 * @comm: copied
 */
void threads__name(struct threads *ts, struct thread *t, const char *comm);

/* To be called before something is mapped, even though the thread was said to have exited. */
void threads__need_maps(struct threads *ts, struct thread *t);

/* A new program: an empty address space for the process. */
void threads__exec(struct threads *ts, struct thread *t);

#endif
