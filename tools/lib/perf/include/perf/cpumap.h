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

/* Returns: the set of -1 alone, with one reference. */
LIBPERF_API struct perf_cpu_map *perf_cpu_map__new_any_cpu(void);

/*
 * Returns: the online CPUs by sysfs, else 0 .. sysconf(_SC_NPROCESSORS_ONLN) - 1, with one
 *         reference.
 */
LIBPERF_API struct perf_cpu_map *perf_cpu_map__new_online_cpus(void);

/*
 * @cpu_list: a list in the kernel's form, "0-3,7", perhaps with a newline at its end; NULL: the
 *         online CPUs; "": any CPU
 * Returns: the set, with one reference; NULL when a CPU is named twice, a range goes backward, or
 *         it is not a list.
 */
LIBPERF_API struct perf_cpu_map *perf_cpu_map__new(const char *cpu_list);

/* Returns: the set of @cpu alone, with one reference. */
LIBPERF_API struct perf_cpu_map *perf_cpu_map__new_int(int cpu);

/* Takes a reference. Returns @map. */
LIBPERF_API struct perf_cpu_map *perf_cpu_map__get(struct perf_cpu_map *map);

/* Gives a reference back; the last one frees the set. @map may be NULL. */
LIBPERF_API void perf_cpu_map__put(struct perf_cpu_map *map);

/*
 * Replaces a set by its union with another one.
 * @orig: its reference is given back, and it becomes the union, with one reference
 * @other: borrowed
 * Returns: 0; -ENOMEM, and *orig is unchanged.
 */
LIBPERF_API int perf_cpu_map__merge(struct perf_cpu_map **orig, struct perf_cpu_map *other);

/* Returns: the CPUs that are in both sets, with one reference; NULL: there are none. */
LIBPERF_API struct perf_cpu_map *perf_cpu_map__intersect(struct perf_cpu_map *orig,
							 struct perf_cpu_map *other);

/* Returns: the CPU with the index @idx, from 0; -1 behind the last. */
LIBPERF_API struct perf_cpu perf_cpu_map__cpu(const struct perf_cpu_map *cpus, unsigned int idx);

/* Returns: the number of CPUs; 1 for the empty set. */
LIBPERF_API unsigned int perf_cpu_map__nr(const struct perf_cpu_map *cpus);

/* Returns: whether the set has -1. */
LIBPERF_API bool perf_cpu_map__has_any_cpu(const struct perf_cpu_map *map);

/* Returns: whether the set has -1, or is empty. */
LIBPERF_API bool perf_cpu_map__has_any_cpu_or_is_empty(const struct perf_cpu_map *map);

/* Returns: whether the set has no other value than -1. */
LIBPERF_API bool perf_cpu_map__is_any_cpu_or_is_empty(const struct perf_cpu_map *map);

/* Returns: whether the set is empty. */
LIBPERF_API bool perf_cpu_map__is_empty(const struct perf_cpu_map *map);

/* Returns: the smallest real CPU, -1 when there is none. */
LIBPERF_API struct perf_cpu perf_cpu_map__min(const struct perf_cpu_map *map);

/* Returns: the largest real CPU, -1 when there is none. */
LIBPERF_API struct perf_cpu perf_cpu_map__max(const struct perf_cpu_map *map);

/* Returns: whether the set has the CPU. */
LIBPERF_API bool perf_cpu_map__has(const struct perf_cpu_map *map, struct perf_cpu cpu);

/* Returns: whether both sets are the same. */
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
