/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
#ifndef LIBPERF_INTERNAL_CPUMAP_H
#define LIBPERF_INTERNAL_CPUMAP_H

#include <perf/cpumap.h>

/* Sorted; -1, if it is there, is the first. */
struct perf_cpu_map {
	int refcnt;
	unsigned int nr;
	struct perf_cpu map[];
};

/* Returns: the index of @cpu, -1 if it is not in the map. */
int perf_cpu_map__idx(const struct perf_cpu_map *cpus, struct perf_cpu cpu);

/* Returns: whether every CPU of @b is in @a. */
bool perf_cpu_map__is_subset(const struct perf_cpu_map *a, const struct perf_cpu_map *b);

#endif
