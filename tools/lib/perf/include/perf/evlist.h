/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * A list of events that are opened, enabled, mapped and polled together. It owns its events.
 *
 * The order of calls: add the events, set_maps, open, mmap (to sample), enable, then poll and read
 * the rings or read the counters, disable, delete. Functions return 0 or -errno; what failed
 * half-way is undone.
 *
 * Rings: events of one CPU share one ring, whatever their thread; on "any CPU", events of one
 * thread share one. Events with attr.write_backward get rings of their own, read only and
 * overwritten by the kernel; they are the "overwrite" ones below. Events are enabled in the order
 * of the list and disabled in the opposite one, so that the first, which carries the side-band
 * records, sees all of what the others do.
 */
#ifndef LIBPERF_EVLIST_H
#define LIBPERF_EVLIST_H

#include <perf/core.h>
#include <stdbool.h>

struct perf_evlist;
struct perf_evsel;
struct perf_cpu_map;
struct perf_thread_map;
struct perf_mmap;

LIBPERF_API struct perf_evlist *perf_evlist__new(void);
/* Unmaps, closes and frees, events included. */
LIBPERF_API void perf_evlist__delete(struct perf_evlist *evlist);

LIBPERF_API void perf_evlist__add(struct perf_evlist *evlist, struct perf_evsel *evsel);
/* The event is the caller's again. Not while the list is mapped. */
LIBPERF_API void perf_evlist__remove(struct perf_evlist *evlist, struct perf_evsel *evsel);
/* The event after evsel, the first one after NULL; NULL at the end. */
LIBPERF_API struct perf_evsel *perf_evlist__next(struct perf_evlist *evlist,
						 struct perf_evsel *evsel);

#define perf_evlist__for_each_evsel(evlist, pos)                            \
	for ((pos) = perf_evlist__next((evlist), NULL); (pos) != NULL;      \
	     (pos) = perf_evlist__next((evlist), (pos)))

/* Takes references of its own. NULL: any CPU, or thread -1; not both, the kernel refuses that. */
LIBPERF_API void perf_evlist__set_maps(struct perf_evlist *evlist, struct perf_cpu_map *cpus,
				       struct perf_thread_map *threads);

LIBPERF_API int perf_evlist__open(struct perf_evlist *evlist);
LIBPERF_API void perf_evlist__close(struct perf_evlist *evlist);
LIBPERF_API void perf_evlist__enable(struct perf_evlist *evlist);
LIBPERF_API void perf_evlist__disable(struct perf_evlist *evlist);

/*
 * Waits, at most timeout ms, until a ring has records: how many have, 0 when the time is over, or
 * -errno. One descriptor of each ring is polled, in the name of all that write into it.
 */
LIBPERF_API int perf_evlist__poll(struct perf_evlist *evlist, int timeout);
/*
 * Drops descriptors for which the last poll said one of the mask (POLLERR | POLLHUP: the thread is
 * gone), or puts others of the same ring in their places, and returns how many are polled on: with
 * 0, all threads are gone. Their rings stay until they are read empty.
 */
LIBPERF_API int perf_evlist__filter_pollfd(struct perf_evlist *evlist, short revents_and_mask);

/* pages: of data for each ring, a power of two. */
LIBPERF_API int perf_evlist__mmap(struct perf_evlist *evlist, int pages);
LIBPERF_API void perf_evlist__munmap(struct perf_evlist *evlist);

/* The ring after map, the first one after NULL; NULL at the end. */
LIBPERF_API struct perf_mmap *perf_evlist__next_mmap(struct perf_evlist *evlist,
						     struct perf_mmap *map, bool overwrite);

#define perf_evlist__for_each_mmap(evlist, pos, overwrite)                        \
	for ((pos) = perf_evlist__next_mmap((evlist), NULL, overwrite);           \
	     (pos) != NULL;                                                       \
	     (pos) = perf_evlist__next_mmap((evlist), (pos), overwrite))

/* All events of the list become one group, led by the first. */
LIBPERF_API void perf_evlist__set_leader(struct perf_evlist *evlist);
/* How many groups of more than one event there are. */
LIBPERF_API int perf_evlist__nr_groups(struct perf_evlist *evlist);

#endif
