// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>

#include "event-name.h"

static const char *const hardware_names[] = {
	[PERF_COUNT_HW_CPU_CYCLES] = "cycles",
	[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
	[PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
	[PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branches",
	[PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
	[PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
	[PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles",
};

static const char *const software_names[] = {
	[PERF_COUNT_SW_CPU_CLOCK] = "cpu-clock",
	[PERF_COUNT_SW_TASK_CLOCK] = "task-clock",
	[PERF_COUNT_SW_PAGE_FAULTS] = "page-faults",
	[PERF_COUNT_SW_CONTEXT_SWITCHES] = "context-switches",
	[PERF_COUNT_SW_CPU_MIGRATIONS] = "cpu-migrations",
	[PERF_COUNT_SW_PAGE_FAULTS_MIN] = "minor-faults",
	[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "major-faults",
	[PERF_COUNT_SW_ALIGNMENT_FAULTS] = "alignment-faults",
	[PERF_COUNT_SW_EMULATION_FAULTS] = "emulation-faults",
	[PERF_COUNT_SW_DUMMY] = "dummy",
	[PERF_COUNT_SW_BPF_OUTPUT] = "bpf-output",
	[PERF_COUNT_SW_CGROUP_SWITCHES] = "cgroup-switches",
};

static const char *const cache_names[] = {
	"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node",
};

static const char *const cache_ops[][2] = {
	/* of accesses, of misses */
	{ "loads", "load-misses" },
	{ "stores", "store-misses" },
	{ "prefetches", "prefetch-misses" },
};

/* NULL when perf has no name for it. */
static const char *hardware_name(u64 config)
{
	return config < ARRAY_SIZE(hardware_names) ? hardware_names[config] : NULL;
}

static const char *software_name(u64 config)
{
	return config < ARRAY_SIZE(software_names) ? software_names[config] : NULL;
}

static int cache_name(u64 config, char *buf, size_t size)
{
	u64 cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (config >> 24 || cache >= ARRAY_SIZE(cache_names) || op >= ARRAY_SIZE(cache_ops) ||
	    result > 1)
		return snprintf(buf, size, "cache %#" PRIx64, config);
	return snprintf(buf, size, "%s-%s", cache_names[cache], cache_ops[op][result]);
}

static int base_name(const struct perf_event_attr *attr, char *buf, size_t size)
{
	const char *name = NULL;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		/* The upper half selects the PMU on machines with several kinds of core. */
		name = hardware_name((u32)attr->config);
		break;
	case PERF_TYPE_SOFTWARE:
		name = software_name(attr->config);
		break;
	case PERF_TYPE_TRACEPOINT:
		return snprintf(buf, size, "tracepoint:%" PRIu64, (u64)attr->config);
	case PERF_TYPE_HW_CACHE:
		return cache_name((u32)attr->config, buf, size);
	case PERF_TYPE_RAW:
		return snprintf(buf, size, "raw %#" PRIx64, (u64)attr->config);
	case PERF_TYPE_BREAKPOINT:
		return snprintf(buf, size, "mem:%#" PRIx64, (u64)attr->bp_addr);
	}
	if (name)
		return snprintf(buf, size, "%s", name);
	return snprintf(buf, size, "pmu %u config %#" PRIx64, attr->type, (u64)attr->config);
}

int attr__name(const struct perf_event_attr *attr, char *buf, size_t size)
{
	char mods[8];
	size_t n = 0;
	int len = base_name(attr, buf, size);

	if (len < 0 || (size_t)len >= size)
		return len;
	/* Modifiers name the levels that are counted, if any level is not. */
	if (attr->exclude_user || attr->exclude_kernel || attr->exclude_hv) {
		if (!attr->exclude_kernel)
			mods[n++] = 'k';
		if (!attr->exclude_user)
			mods[n++] = 'u';
		if (!attr->exclude_hv)
			mods[n++] = 'h';
	}
	for (u32 i = 0; i < attr->precise_ip; i++)
		mods[n++] = 'p';
	mods[n] = '\0';
	return n ? len + snprintf(buf + len, size - len, ":%s", mods) : len;
}
