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

/* What a counter says; fields that attr.read_format does not ask for are 0. */
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

/* Copies the attr. NULL: out of memory. */
LIBPERF_API struct perf_evsel *perf_evsel__new(struct perf_event_attr *attr);
/* Closes what is open. An event that is in a list belongs to the list: remove it first. */
LIBPERF_API void perf_evsel__delete(struct perf_evsel *evsel);

/*
 * Opens on every pair; at the first failure everything is closed again. NULL maps mean any CPU and
 * thread -1. The leader of a group has to be opened first. Where attr.size is 0 the kernel is told
 * the smallest published size that holds every field that is set. Descriptors are close-on-exec.
 */
LIBPERF_API int perf_evsel__open(struct perf_evsel *evsel, struct perf_cpu_map *cpus,
				 struct perf_thread_map *threads);
LIBPERF_API void perf_evsel__close(struct perf_evsel *evsel);
LIBPERF_API void perf_evsel__close_cpu(struct perf_evsel *evsel, int cpu_map_idx);

/*
 * A ring of its own for each descriptor: pages is a power of two, or 0 for the control page alone,
 * which is enough to read the counter without a system call where the CPU allows it.
 */
LIBPERF_API int perf_evsel__mmap(struct perf_evsel *evsel, int pages);
LIBPERF_API void perf_evsel__munmap(struct perf_evsel *evsel);
/* The control page, a struct perf_event_mmap_page; NULL where nothing is mapped. */
LIBPERF_API void *perf_evsel__mmap_base(struct perf_evsel *evsel, int cpu_map_idx, int thread);

/* A group is opened with PERF_FORMAT_GROUP, and yet each member gives its own count here. */
LIBPERF_API int perf_evsel__read(struct perf_evsel *evsel, int cpu_map_idx, int thread,
				 struct perf_counts_values *count);

LIBPERF_API int perf_evsel__enable(struct perf_evsel *evsel);
LIBPERF_API int perf_evsel__enable_cpu(struct perf_evsel *evsel, int cpu_map_idx);
LIBPERF_API int perf_evsel__enable_thread(struct perf_evsel *evsel, int thread);
LIBPERF_API int perf_evsel__disable(struct perf_evsel *evsel);
LIBPERF_API int perf_evsel__disable_cpu(struct perf_evsel *evsel, int cpu_map_idx);

/* The event's own references, not new ones; NULL where the event is in no list. */
LIBPERF_API struct perf_cpu_map *perf_evsel__cpus(struct perf_evsel *evsel);
LIBPERF_API struct perf_thread_map *perf_evsel__threads(struct perf_evsel *evsel);
/* May be written until the event is opened. */
LIBPERF_API struct perf_event_attr *perf_evsel__attr(struct perf_evsel *evsel);

/*
 * With scale, val becomes what it would have been had the event been counted all the time that
 * it was enabled. *pscaled (may be NULL): 1 scaled, 0 no need or not asked, -1 never ran (val 0).
 */
LIBPERF_API void perf_counts_values__scale(struct perf_counts_values *count, bool scale,
					   __s8 *pscaled);

#endif
