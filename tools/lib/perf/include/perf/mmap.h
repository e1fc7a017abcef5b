/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Reading a ring of records:
 *
 *	if (perf_mmap__read_init(map) == 0) {
 *		while ((event = perf_mmap__read_event(map)) != NULL) {
 *			...
 *			perf_mmap__consume(map);
 *		}
 *		perf_mmap__read_done(map);
 *	}
 *
 * A record is valid until perf_mmap__consume(), which gives its room back to the kernel. Different
 * rings may be read by different threads at the same time; one ring by one thread only.
 */
#ifndef LIBPERF_MMAP_H
#define LIBPERF_MMAP_H

#include <perf/core.h>

struct perf_mmap;
union perf_event;

/* Begins to read a ring. Returns 0; -EAGAIN: nothing to read; -ENOENT: not mapped (any more). */
LIBPERF_API int perf_mmap__read_init(struct perf_mmap *map);

/* Returns: the next record; NULL when all that the kernel has published is read. */
LIBPERF_API union perf_event *perf_mmap__read_event(struct perf_mmap *map);

/* Gives the room of the last record back to the kernel. */
LIBPERF_API void perf_mmap__consume(struct perf_mmap *map);

/* Ends reading. */
LIBPERF_API void perf_mmap__read_done(struct perf_mmap *map);

#endif
