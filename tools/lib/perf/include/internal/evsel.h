/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
#ifndef LIBPERF_INTERNAL_EVSEL_H
#define LIBPERF_INTERNAL_EVSEL_H

#include <internal/cpumap.h>
#include <internal/lib.h>
#include <linux/perf_event.h>
#include <perf/evsel.h>
#include <sys/types.h>

struct perf_evlist;
struct perf_thread_map;
struct xyarray;

/* One for each descriptor: what the id in a record stands for. */
struct perf_sample_id {
	struct perf_sample_id *next; /* in the list's hash */
	u64 id;
	struct perf_evsel *evsel;
	int idx;             /* which ring of the list */
	struct perf_cpu cpu; /* -1: any */
	pid_t tid;           /* -1: any */
};

struct perf_evsel {
	struct perf_evsel *prev, *next; /* in the list */
	struct perf_event_attr attr;
	struct perf_cpu_map *cpus; /* where it is opened; made by the list from its own maps */
	struct perf_cpu_map *pmu_cpus; /* if set, where the PMU counts it: cpus is a part of this */
	struct perf_thread_map *threads;
	struct xyarray *fd;        /* int, -1: not open */
	struct xyarray *mmap;      /* struct perf_mmap, of perf_evsel__mmap() */
	struct xyarray *sample_id; /* struct perf_sample_id */
	u64 *id;                   /* those that are known, in the order of CPU, thread */
	u32 ids;
	struct perf_evsel *leader; /* itself, if it is in no group */
	int nr_members;            /* of the group that it leads, itself included */
	int idx;                   /* place in the list */
	/* On every online CPU and for every thread, whatever the list is asked for. */
	bool system_wide;
	int cgroup_fd;     /* only tasks of this control group, on given CPUs; -1: of all */
	bool requires_cpu; /* cannot be opened on any CPU (-1) */
	/*
	 * Threads that have ended before they are opened (ESRCH) are left out, as long as one is
	 * left. For attaching to processes that start and end threads.
	 */
	bool ignore_missing_thread;
	/* After a failed open: where. Indices into the maps; -1 if it was not the kernel. */
	int failed_cpu_idx, failed_thread;
};

/*
 * Initializes an event that the caller has allocated. @attr: copied; @idx: its place in the list.
 */
void perf_evsel__init(struct perf_evsel *evsel, struct perf_event_attr *attr, int idx);

/* Closes the event and frees what belongs to it. */
void perf_evsel__exit(struct perf_evsel *evsel);

/*
 * Returns: the descriptor of a pair, by the indices @cpu_map_idx and @thread; -1 when there is
 *         none.
 */
int perf_evsel__fd(const struct perf_evsel *evsel, int cpu_map_idx, int thread);

/*
 * Sets the filter of a tracepoint. @filter: in the syntax of the kernel's
 * Documentation/trace/events.rst. Returns 0 or -errno.
 */
int perf_evsel__apply_filter(struct perf_evsel *evsel, const char *filter);

/* Makes room for the ids of @ncpus x @nthreads descriptors. Returns 0 or -ENOMEM. */
int perf_evsel__alloc_id(struct perf_evsel *evsel, int ncpus, int nthreads);

/* Frees the ids. */
void perf_evsel__free_id(struct perf_evsel *evsel);

/*
 * Returns: the smallest published size of the attr (PERF_ATTR_SIZE_VERn) that holds all fields that
 *         are set.
 */
u32 perf_event_attr__min_size(const struct perf_event_attr *attr);

#endif
