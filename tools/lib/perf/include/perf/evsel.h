/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * One event, opened on a set of CPUs times a list of threads: one file descriptor for each pair.
 *
 * Counters are named by an index into the CPU map that the event was opened with (not by CPU
 * number) and an index into the thread map. Functions return 0 or -errno.
 */
#ifndef LIBPERF_EVSEL_H
#define LIBPERF_EVSEL_H

#include <linux/types.h>
#include <perf/core.h>
#include <stdbool.h>
#include <stdint.h>

struct perf_evsel;
struct perf_event_attr;
struct perf_cpu_map;
struct perf_thread_map;

/* The value of a counter; fields that attr.read_format does not ask for are 0. */
struct perf_counts_values {
	union {
		struct {
			uint64_t val;
			uint64_t ena;  /* ns during which the event was enabled */
			uint64_t run;  /* ns during which it was on a counter */
			uint64_t id;
			uint64_t lost; /* records that found no room in the ring */
		};
		uint64_t values[5];
	};
};

/*
 * @attr: copied
 * Returns: an event, for perf_evsel__delete() or a list; NULL: out of memory.
 */
LIBPERF_API struct perf_evsel *perf_evsel__new(struct perf_event_attr *attr);

/*
 * Closes and frees an event. One that is in a list belongs to the list, and has to be removed
 * before. @evsel may be NULL.
 */
LIBPERF_API void perf_evsel__delete(struct perf_evsel *evsel);

/*
 * Opens the event on every pair of CPU and thread. The leader of a group has to be opened first. If
 * attr.size is 0, the kernel gets the smallest published size that holds every field that is set.
 * Descriptors are close-on-exec.
 * @cpus: NULL: any CPU
 * @threads: NULL: thread -1
 * Returns: 0 or -errno; after a failure nothing is open.
 */
LIBPERF_API int perf_evsel__open(struct perf_evsel *evsel, struct perf_cpu_map *cpus,
				 struct perf_thread_map *threads);

/* Closes all descriptors. */
LIBPERF_API void perf_evsel__close(struct perf_evsel *evsel);

/* Closes the descriptors of the CPU with the index @cpu_map_idx. */
LIBPERF_API void perf_evsel__close_cpu(struct perf_evsel *evsel, int cpu_map_idx);

/*
 * Maps a ring for each descriptor.
 * @pages: of data, a power of two; 0: the control page alone, which is enough to read the counter
 *         without a system call if the CPU allows that
 * Returns: 0 or -errno.
 */
LIBPERF_API int perf_evsel__mmap(struct perf_evsel *evsel, int pages);

/* Unmaps the rings. */
LIBPERF_API void perf_evsel__munmap(struct perf_evsel *evsel);

/*
 * @cpu_map_idx, @thread: indices
 * Returns: the control page of a descriptor, a struct perf_event_mmap_page; NULL when it is not
 *         mapped.
 */
LIBPERF_API void *perf_evsel__mmap_base(struct perf_evsel *evsel, int cpu_map_idx, int thread);

/*
 * Reads a counter; also that of a single member of a group, with PERF_FORMAT_GROUP.
 * @cpu_map_idx, @thread: indices
 * @count: filled
 * Returns: 0 or -errno.
 */
LIBPERF_API int perf_evsel__read(struct perf_evsel *evsel, int cpu_map_idx, int thread,
				 struct perf_counts_values *count);

/* Enables the event. Returns 0 or -errno. */
LIBPERF_API int perf_evsel__enable(struct perf_evsel *evsel);

/* Enables the event on the CPU with the index @cpu_map_idx. Returns 0 or -errno. */
LIBPERF_API int perf_evsel__enable_cpu(struct perf_evsel *evsel, int cpu_map_idx);

/* Enables the event for the thread with the index @thread. Returns 0 or -errno. */
LIBPERF_API int perf_evsel__enable_thread(struct perf_evsel *evsel, int thread);

/* Disables the event. Returns 0 or -errno. */
LIBPERF_API int perf_evsel__disable(struct perf_evsel *evsel);

/* Disables the event on the CPU with the index @cpu_map_idx. Returns 0 or -errno. */
LIBPERF_API int perf_evsel__disable_cpu(struct perf_evsel *evsel, int cpu_map_idx);

/*
 * Returns: the event's own reference to its CPUs, not a new one; NULL when the event is in no list.
 */
LIBPERF_API struct perf_cpu_map *perf_evsel__cpus(struct perf_evsel *evsel);

/*
 * Returns: the event's own reference to its threads, not a new one; NULL when the event is in no
 *         list.
 */
LIBPERF_API struct perf_thread_map *perf_evsel__threads(struct perf_evsel *evsel);

/* Returns: the event's attr, which may be changed until the event is opened. */
LIBPERF_API struct perf_event_attr *perf_evsel__attr(struct perf_evsel *evsel);

/*
 * Scales a count to all the time during which the event was enabled.
 * @scale: false: val stays as it is
 * @pscaled: out: 1: scaled; 0: not needed, or not asked for; -1: never counted (val is 0); may be
 *         NULL
 */
LIBPERF_API void perf_counts_values__scale(struct perf_counts_values *count, bool scale,
					   __s8 *pscaled);

#endif
