/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Sets of CPUs: sorted, without duplicates, immutable, reference-counted.
 *
 * A set may hold the value -1, "any CPU": an event opened with it follows its thread. It sorts
 * first. A NULL map is the empty set, and every function takes it; so that loops over an empty set
 * still open one event, perf_cpu_map__nr() says 1 and perf_cpu_map__cpu() says -1 for it.
 *
 * Functions that return a map return a reference that the caller gives back with
 * perf_cpu_map__put(); NULL is out of memory, an unreadable list, or (intersect) the empty set.
 */
#ifndef LIBPERF_CPUMAP_H
#define LIBPERF_CPUMAP_H

#include <perf/core.h>
#include <stdbool.h>
#include <stdint.h>

/* A CPU number, as a type of its own so that it is not taken for an index into a map. */
struct perf_cpu {
	int16_t cpu;
};

struct perf_cache {
	int cache_lvl;
	int cache;
};

struct perf_cpu_map;

/* The set of -1 alone. */
LIBPERF_API struct perf_cpu_map *perf_cpu_map__new_any_cpu(void);
/* What sysfs says is online, else 0 .. sysconf(_SC_NPROCESSORS_ONLN) - 1. */
LIBPERF_API struct perf_cpu_map *perf_cpu_map__new_online_cpus(void);
/*
 * A list in the kernel's form, "0-3,7", perhaps with a newline at its end. NULL is the online CPUs,
 * "" is any CPU. A CPU named twice, a backward range or anything else makes it fail.
 */
LIBPERF_API struct perf_cpu_map *perf_cpu_map__new(const char *cpu_list);
LIBPERF_API struct perf_cpu_map *perf_cpu_map__new_int(int cpu);

LIBPERF_API struct perf_cpu_map *perf_cpu_map__get(struct perf_cpu_map *map);
LIBPERF_API void perf_cpu_map__put(struct perf_cpu_map *map);

/* *orig becomes the union; its old reference is given back. 0, or -ENOMEM and *orig as it was. */
LIBPERF_API int perf_cpu_map__merge(struct perf_cpu_map **orig, struct perf_cpu_map *other);
LIBPERF_API struct perf_cpu_map *perf_cpu_map__intersect(struct perf_cpu_map *orig,
							 struct perf_cpu_map *other);

/* The CPU at an index, -1 beyond the end. */
LIBPERF_API struct perf_cpu perf_cpu_map__cpu(const struct perf_cpu_map *cpus, unsigned int idx);
LIBPERF_API unsigned int perf_cpu_map__nr(const struct perf_cpu_map *cpus);

LIBPERF_API bool perf_cpu_map__has_any_cpu(const struct perf_cpu_map *map);
LIBPERF_API bool perf_cpu_map__has_any_cpu_or_is_empty(const struct perf_cpu_map *map);
/* Is -1 all that there is, or not even that? */
LIBPERF_API bool perf_cpu_map__is_any_cpu_or_is_empty(const struct perf_cpu_map *map);
LIBPERF_API bool perf_cpu_map__is_empty(const struct perf_cpu_map *map);

/* The smallest and the largest real CPU, -1 where there is none. */
LIBPERF_API struct perf_cpu perf_cpu_map__min(const struct perf_cpu_map *map);
LIBPERF_API struct perf_cpu perf_cpu_map__max(const struct perf_cpu_map *map);
LIBPERF_API bool perf_cpu_map__has(const struct perf_cpu_map *map, struct perf_cpu cpu);
LIBPERF_API bool perf_cpu_map__equal(const struct perf_cpu_map *lhs,
				     const struct perf_cpu_map *rhs);

#define perf_cpu_map__for_each_idx(idx, cpus) \
	for ((idx) = 0; (unsigned int)(idx) < perf_cpu_map__nr(cpus); (idx)++)

#define perf_cpu_map__for_each_cpu(_cpu, idx, cpus)                        \
	for ((idx) = 0, (_cpu) = perf_cpu_map__cpu(cpus, idx);             \
	     (unsigned int)(idx) < perf_cpu_map__nr(cpus);                 \
	     (idx)++, (_cpu) = perf_cpu_map__cpu(cpus, idx))

#define perf_cpu_map__for_each_cpu_skip_any(_cpu, idx, cpus)               \
	perf_cpu_map__for_each_cpu(_cpu, idx, cpus)                        \
		if ((_cpu).cpu != -1)

#endif
