/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Lists of threads, reference-counted. Thread -1 means all threads that run on the CPU, thread 0
 * the calling thread. A NULL map counts as one thread, -1.
 *
 * A map is filled before events are opened on it; set_pid() on a map that others use is a race.
 */
#ifndef LIBPERF_THREADMAP_H
#define LIBPERF_THREADMAP_H

#include <perf/core.h>
#include <sys/types.h>

struct perf_thread_map;

/* Returns: a map of one thread, -1, with one reference; NULL: out of memory. */
LIBPERF_API struct perf_thread_map *perf_thread_map__new_dummy(void);

/*
 * @nr_threads: number of threads
 * @array: copied; NULL: all are -1
 * Returns: a map with one reference; NULL: out of memory.
 */
LIBPERF_API struct perf_thread_map *perf_thread_map__new_array(int nr_threads, pid_t *array);

/*
 * The thread @tid, with its name. (Not in upstream's library, which leaves this to its callers.)
 * Returns: a map with one reference; NULL with errno set when there is no such thread.
 */
LIBPERF_API struct perf_thread_map *perf_thread_map__new_by_tid(pid_t tid);

/*
 * The same for every thread that the process @pid has at present. Returns a map with one
 * reference, or NULL.
 */
LIBPERF_API struct perf_thread_map *perf_thread_map__new_by_pid(pid_t pid);

/* Replaces the thread with the index @idx by @pid. */
LIBPERF_API void perf_thread_map__set_pid(struct perf_thread_map *map, int idx, pid_t pid);

/*
 * Returns: the name of the thread with the index @idx, owned by the map; NULL when it is not known.
 */
LIBPERF_API char *perf_thread_map__comm(struct perf_thread_map *map, int idx);

/* Returns: the number of threads. */
LIBPERF_API int perf_thread_map__nr(struct perf_thread_map *threads);

/* Returns: the thread with the index @idx; -1 behind the last, too. */
LIBPERF_API pid_t perf_thread_map__pid(struct perf_thread_map *map, int idx);

/* Returns: the index of the thread @pid, -1 when it is not in the map. */
LIBPERF_API int perf_thread_map__idx(struct perf_thread_map *map, pid_t pid);

/* Takes a reference. Returns @map. */
LIBPERF_API struct perf_thread_map *perf_thread_map__get(struct perf_thread_map *map);

/* Gives a reference back; the last one frees the map. @map may be NULL. */
LIBPERF_API void perf_thread_map__put(struct perf_thread_map *map);

#endif
