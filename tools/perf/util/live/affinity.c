// SPDX-License-Identifier: GPL-2.0-only
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/log.h"
#include "../io/procfile.h"
#include "affinity.h"

#define NODE_DIR "/sys/devices/system/node"
#define MAX_NODES 1024

static struct perf_cpu_map *read_node(u32 nr)
{
	struct perf_cpu_map *cpus;
	char path[64], *text;

	snprintf(path, sizeof(path), NODE_DIR "/node%u/cpulist", nr);
	if (procfile__read(path, &text, NULL))
		return NULL;
	text[strcspn(text, "\n")] = 0;
	cpus = *text ? perf_cpu_map__new(text) : NULL; /* a node may have memory but no CPUs */
	free(text);
	return cpus;
}

void affinity__init(struct affinity *a, enum affinity_mode mode)
{
	struct perf_cpu_map *cpus;

	*a = (struct affinity){ .mode = mode, .cpu = -1 };
	for (u32 i = 0; mode == AFFINITY_NODE && i < MAX_NODES; i++) {
		cpus = read_node(i);
		if (cpus)
			*vec__push(&a->nodes) = cpus;
	}
}

static void move_to(struct perf_cpu_map *cpus, int only)
{
	struct perf_cpu cpu;
	cpu_set_t *set;
	size_t size;
	int i, max = only;

	if (cpus)
		max = perf_cpu_map__max(cpus).cpu;
	set = CPU_ALLOC(max + 1);
	if (!set)
		return;
	size = CPU_ALLOC_SIZE(max + 1);
	CPU_ZERO_S(size, set);
	if (cpus)
		perf_cpu_map__for_each_cpu(cpu, i, cpus)
			CPU_SET_S(cpu.cpu, size, set);
	else
		CPU_SET_S(only, size, set);
	if (sched_setaffinity(0, size, set))
		pr_debug2("cannot move the reading thread to CPU %d: %s\n", max, strerror(errno));
	CPU_FREE(set);
}

void affinity__follow(struct affinity *a, int cpu)
{
	if (a->mode == AFFINITY_SYS || cpu < 0 || cpu == a->cpu)
		return;
	a->cpu = cpu;
	if (a->mode == AFFINITY_CPU) {
		move_to(NULL, cpu);
		return;
	}
	for (size_t i = 0; i < a->nodes.nr; i++) {
		if (!perf_cpu_map__has(a->nodes.v[i], (struct perf_cpu){ cpu }))
			continue;
		if (a->node != a->nodes.v[i])
			move_to(a->nodes.v[i], cpu);
		a->node = a->nodes.v[i];
	}
}

void affinity__free(struct affinity *a)
{
	for (size_t i = 0; i < a->nodes.nr; i++)
		perf_cpu_map__put(a->nodes.v[i]);
	vec__free(&a->nodes);
}
