/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPU affinity of a thread that reads ring buffers: each one on its own CPU or NUMA node. */
#ifndef PERF_LIVE_AFFINITY_H
#define PERF_LIVE_AFFINITY_H

#include <perf/cpumap.h>

#include "../base/vec.h"

enum affinity_mode {
	AFFINITY_SYS,  /* anywhere */
	AFFINITY_NODE,
	AFFINITY_CPU,
};

struct affinity {
	enum affinity_mode mode;
	VEC(struct perf_cpu_map *) nodes; /* AFFINITY_NODE: the CPUs of each */
	struct perf_cpu_map *node;        /* where the thread is now */
	int cpu;
};

/* Reads what @mode needs; for affinity__free(). */
void affinity__init(struct affinity *a, enum affinity_mode mode);

/* Moves the calling thread to @cpu or its node; -1: anywhere. Failures are ignored. */
void affinity__follow(struct affinity *a, int cpu);

/* Frees the CPU maps. The thread stays where it is. */
void affinity__free(struct affinity *a);

#endif
