// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "event-names.h"

#define HW(n, c, what) { n, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##c, what }
#define SW(n, c, what) { n, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##c, what }

static const struct event_name names[] = {
	HW("cycles", CPU_CYCLES, "Cycles of the CPU, at whatever frequency it runs"),
	HW("cpu-cycles", CPU_CYCLES, "Cycles of the CPU, at whatever frequency it runs"),
	HW("instructions", INSTRUCTIONS, "Instructions that were completed"),
	HW("cache-references", CACHE_REFERENCES, "Accesses to the last level of the cache, mostly"),
	HW("cache-misses", CACHE_MISSES, "Misses of the last level of the cache, mostly"),
	HW("branches", BRANCH_INSTRUCTIONS, "Jumps, calls and returns that were completed"),
	HW("branch-instructions", BRANCH_INSTRUCTIONS,
	   "Jumps, calls and returns that were completed"),
	HW("branch-misses", BRANCH_MISSES, "Branches whose target was not the predicted one"),
	HW("bus-cycles", BUS_CYCLES, "Cycles of the bus"),
	HW("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND,
	   "Cycles in which no instruction started"),
	HW("idle-cycles-frontend", STALLED_CYCLES_FRONTEND,
	   "Cycles in which no instruction started"),
	HW("stalled-cycles-backend", STALLED_CYCLES_BACKEND,
	   "Cycles in which no instruction finished"),
	HW("idle-cycles-backend", STALLED_CYCLES_BACKEND,
	   "Cycles in which no instruction finished"),
	HW("ref-cycles", REF_CPU_CYCLES, "Cycles at a constant frequency"),
	SW("cpu-clock", CPU_CLOCK, "Time, by a timer of the CPU"),
	SW("task-clock", TASK_CLOCK, "Time for which a thread runs"),
	SW("page-faults", PAGE_FAULTS, "Accesses to pages that were not present"),
	SW("faults", PAGE_FAULTS, "Accesses to pages that were not present"),
	SW("minor-faults", PAGE_FAULTS_MIN, "Page faults that needed no read from a disk"),
	SW("major-faults", PAGE_FAULTS_MAJ, "Page faults that needed a read from a disk"),
	SW("context-switches", CONTEXT_SWITCHES, "A thread leaves its CPU to another one"),
	SW("cs", CONTEXT_SWITCHES, "A thread leaves its CPU to another one"),
	SW("cpu-migrations", CPU_MIGRATIONS, "A thread is moved to another CPU"),
	SW("migrations", CPU_MIGRATIONS, "A thread is moved to another CPU"),
	SW("alignment-faults", ALIGNMENT_FAULTS, "Unaligned accesses that the kernel has fixed"),
	SW("emulation-faults", EMULATION_FAULTS, "Instructions that the kernel has emulated"),
	SW("dummy", DUMMY, "Counts nothing: only for the records of processes and mappings"),
	SW("bpf-output", BPF_OUTPUT, "Data that BPF programs write into the ring buffer"),
	SW("cgroup-switches", CGROUP_SWITCHES, "A thread leaves its CPU to one of another cgroup"),
};

struct alias {
	const char *name;
	u32 value;
};

static const struct alias caches[] = {
	{ "L1-dcache", PERF_COUNT_HW_CACHE_L1D },
	{ "L1-icache", PERF_COUNT_HW_CACHE_L1I },
	{ "LLC", PERF_COUNT_HW_CACHE_LL },
	{ "dTLB", PERF_COUNT_HW_CACHE_DTLB },
	{ "iTLB", PERF_COUNT_HW_CACHE_ITLB },
	{ "branch", PERF_COUNT_HW_CACHE_BPU },
	{ "node", PERF_COUNT_HW_CACHE_NODE },
};

/* Suffixes of a cache's name; the longer of two that begin alike comes first. */
static const struct {
	const char *suffix;
	u32 op, result;
} ops[] = {
	{ "-load-misses", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "-loads", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "-load", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "-store-misses", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "-stores", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "-store", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "-prefetch-misses", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "-prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "-prefetch", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "-misses", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS },
};

static bool parse_cache(const char *name, struct perf_event_attr *attr)
{
	for (size_t i = 0; i < ARRAY_SIZE(caches); i++) {
		size_t len = strlen(caches[i].name);

		if (strncasecmp(name, caches[i].name, len))
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(ops); k++) {
			if (strcasecmp(name + len, ops[k].suffix))
				continue;
			attr->type = PERF_TYPE_HW_CACHE;
			attr->config = caches[i].value | ops[k].op << 8 | ops[k].result << 16;
			return true;
		}
	}
	return false;
}

bool event_name__parse(const char *name, struct perf_event_attr *attr)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcasecmp(name, names[i].name))
			continue;
		attr->type = names[i].type;
		attr->config = names[i].config;
		return true;
	}
	return parse_cache(name, attr);
}

const struct event_name *event_name__at(size_t i)
{
	return i < ARRAY_SIZE(names) ? &names[i] : NULL;
}

bool event_name__cache_at(size_t i, char *name)
{
	static const char *const plain[] = {
		"-loads", "-load-misses", "-stores", "-store-misses", "-prefetches",
		"-prefetch-misses",
	};
	size_t cache = i / ARRAY_SIZE(plain);

	if (cache >= ARRAY_SIZE(caches))
		return false;
	snprintf(name, CACHE_EVENT_NAME_MAX, "%s%s", caches[cache].name,
		 plain[i % ARRAY_SIZE(plain)]);
	return true;
}
