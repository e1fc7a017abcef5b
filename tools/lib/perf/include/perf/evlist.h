/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * A list of events that are opened, enabled, mapped and polled together. It owns its events.
 *
 * The order of calls: add the events, set_maps, open, mmap (to sample), enable, then poll and read
 * the rings or read the counters, disable, delete. A function that fails undoes what it has done.
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

/* Returns: an empty list, for perf_evlist__delete(); NULL: out of memory. */
LIBPERF_API struct perf_evlist *perf_evlist__new(void);

/* Unmaps, closes and frees the list and its events. @evlist may be NULL. */
LIBPERF_API void perf_evlist__delete(struct perf_evlist *evlist);

/* Appends an event, which belongs to the list from now on. */
LIBPERF_API void perf_evlist__add(struct perf_evlist *evlist, struct perf_evsel *evsel);

/* Removes an event, which belongs to the caller again. Not while the list is mapped. */
LIBPERF_API void perf_evlist__remove(struct perf_evlist *evlist, struct perf_evsel *evsel);

/* Returns: the event behind @evsel, the first one for NULL; NULL at the end. */
LIBPERF_API struct perf_evsel *perf_evlist__next(struct perf_evlist *evlist,
						 struct perf_evsel *evsel);

#define perf_evlist__for_each_evsel(evlist, pos)                            \
	for ((pos) = perf_evlist__next((evlist), NULL); (pos) != NULL;      \
	     (pos) = perf_evlist__next((evlist), (pos)))

/*
 * Sets where the events will be opened. The list takes references of its own.
 * @cpus: NULL: any CPU
 * @threads: NULL: thread -1; the kernel refuses any CPU and thread -1 together
 */
LIBPERF_API void perf_evlist__set_maps(struct perf_evlist *evlist, struct perf_cpu_map *cpus,
				       struct perf_thread_map *threads);

/* Opens all events. Returns 0 or -errno; after a failure none is open. */
LIBPERF_API int perf_evlist__open(struct perf_evlist *evlist);

/* Closes all events. */
LIBPERF_API void perf_evlist__close(struct perf_evlist *evlist);

/* Enables all events, in the order of the list. */
LIBPERF_API void perf_evlist__enable(struct perf_evlist *evlist);

/* Disables all events, in the opposite order. */
LIBPERF_API void perf_evlist__disable(struct perf_evlist *evlist);

/*
 * Waits until a ring has records. One descriptor of each ring is polled, for all that write into
 * it.
 * @timeout: in ms; -1: without limit
 * Returns: the number of rings with records; 0 when the time is over; -errno.
 */
LIBPERF_API int perf_evlist__poll(struct perf_evlist *evlist, int timeout);

/*
 * Drops descriptors for which the last poll has reported one of @revents_and_mask (POLLERR |
 * POLLHUP: the thread has ended), or replaces them by others of the same ring. Rings stay until
 * they are read empty.
 * Returns: how many are still polled; 0: all threads have ended.
 */
LIBPERF_API int perf_evlist__filter_pollfd(struct perf_evlist *evlist, short revents_and_mask);

/* Maps the rings. @pages: of data for each ring, a power of two. Returns 0 or -errno. */
LIBPERF_API int perf_evlist__mmap(struct perf_evlist *evlist, int pages);

/* Unmaps the rings. */
LIBPERF_API void perf_evlist__munmap(struct perf_evlist *evlist);

/*
 * Returns: the ring behind @map, the first one for NULL; NULL at the end. @overwrite: of those
 *         rings.
 */
LIBPERF_API struct perf_mmap *perf_evlist__next_mmap(struct perf_evlist *evlist,
						     struct perf_mmap *map, bool overwrite);

#define perf_evlist__for_each_mmap(evlist, pos, overwrite)                        \
	for ((pos) = perf_evlist__next_mmap((evlist), NULL, overwrite);           \
	     (pos) != NULL;                                                       \
	     (pos) = perf_evlist__next_mmap((evlist), (pos), overwrite))

/*
 * For an event loop of one's own: a descriptor that is readable when records wait in a ring.
 * @pos: from 0
 * Returns: the descriptor, borrowed until perf_evlist__munmap(); -1: nothing writes into that ring
 *         any more; -ENOENT: there are not so many.
 */
LIBPERF_API int perf_evlist__pollfd(struct perf_evlist *evlist, int pos);

/* Makes one group of all events, led by the first one. */
LIBPERF_API void perf_evlist__set_leader(struct perf_evlist *evlist);

/* Returns: the number of groups with more than one event. */
LIBPERF_API int perf_evlist__nr_groups(struct perf_evlist *evlist);

#endif
