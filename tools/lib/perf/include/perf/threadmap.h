/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Lists of threads, reference-counted. Thread -1 stands for "whatever runs on the CPU", thread 0
 * for the calling thread. A NULL map counts as one thread, -1.
 *
 * A map is filled before events are opened on it; set_pid() on a map that others use is a race.
 */
#ifndef LIBPERF_THREADMAP_H
#define LIBPERF_THREADMAP_H

#include <perf/core.h>
#include <sys/types.h>

struct perf_thread_map;

/* One thread, -1. */
LIBPERF_API struct perf_thread_map *perf_thread_map__new_dummy(void);
/* A copy of the array; without an array, nr_threads times -1. */
LIBPERF_API struct perf_thread_map *perf_thread_map__new_array(int nr_threads, pid_t *array);
/*
 * One thread, or every thread that a process has now, with their names. NULL with errno set where
 * there is no such task. (Not in upstream's library, which leaves this to its callers.)
 */
LIBPERF_API struct perf_thread_map *perf_thread_map__new_by_tid(pid_t tid);
LIBPERF_API struct perf_thread_map *perf_thread_map__new_by_pid(pid_t pid);

LIBPERF_API void perf_thread_map__set_pid(struct perf_thread_map *map, int idx, pid_t pid);
/* Owned by the map; NULL where the name is not known. */
LIBPERF_API char *perf_thread_map__comm(struct perf_thread_map *map, int idx);
LIBPERF_API int perf_thread_map__nr(struct perf_thread_map *threads);
/* -1 for an index beyond the end, as for thread -1. */
LIBPERF_API pid_t perf_thread_map__pid(struct perf_thread_map *map, int idx);
/* Where pid is in the map, -1 if nowhere. */
LIBPERF_API int perf_thread_map__idx(struct perf_thread_map *map, pid_t pid);

LIBPERF_API struct perf_thread_map *perf_thread_map__get(struct perf_thread_map *map);
LIBPERF_API void perf_thread_map__put(struct perf_thread_map *map);

#endif
