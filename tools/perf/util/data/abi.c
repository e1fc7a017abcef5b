// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "abi.h"

/* The flag word: the u64 of bit fields that starts with "disabled". */
#define ATTR_FLAGS_OFFSET 40

bool attr__test_bit(const struct perf_event_attr *attr, enum attr_bit bit)
{
	u64 flags;

	memcpy(&flags, (const u8 *)attr + ATTR_FLAGS_OFFSET, sizeof(flags));
	return flags >> bit & 1;
}

void attr__set_bit(struct perf_event_attr *attr, enum attr_bit bit, bool on)
{
	u64 flags;

	memcpy(&flags, (u8 *)attr + ATTR_FLAGS_OFFSET, sizeof(flags));
	flags = on ? flags | BIT_ULL(bit) : flags & ~BIT_ULL(bit);
	memcpy((u8 *)attr + ATTR_FLAGS_OFFSET, &flags, sizeof(flags));
}

u32 attr_bytes__min_size(const void *attr, u32 size)
{
	static const u16 published[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144 };
	const u8 *p = attr;
	u32 used = size;

	while (used && !p[used - 1])
		used--;
	for (size_t i = 0; i < ARRAY_SIZE(published); i++)
		if (used <= published[i])
			return published[i];
	return align_up(used, 8);
}

u32 attr__min_size(const struct perf_event_attr *attr)
{
	return attr_bytes__min_size(attr, sizeof(*attr));
}

static const char *const record_names[] = {
	[PERF_RECORD_MMAP] = "MMAP",
	[PERF_RECORD_LOST] = "LOST",
	[PERF_RECORD_COMM] = "COMM",
	[PERF_RECORD_EXIT] = "EXIT",
	[PERF_RECORD_THROTTLE] = "THROTTLE",
	[PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
	[PERF_RECORD_FORK] = "FORK",
	[PERF_RECORD_READ] = "READ",
	[PERF_RECORD_SAMPLE] = "SAMPLE",
	[PERF_RECORD_MMAP2] = "MMAP2",
	[PERF_RECORD_AUX] = "AUX",
	[PERF_RECORD_ITRACE_START] = "ITRACE_START",
	[PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES",
	[PERF_RECORD_SWITCH] = "SWITCH",
	[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
	[PERF_RECORD_NAMESPACES] = "NAMESPACES",
	[PERF_RECORD_KSYMBOL] = "KSYMBOL",
	[PERF_RECORD_BPF_EVENT] = "BPF_EVENT",
	[PERF_RECORD_CGROUP] = "CGROUP",
	[PERF_RECORD_TEXT_POKE] = "TEXT_POKE",
	[ABI_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
	[ABI_RECORD_CALLCHAIN_DEFERRED] = "CALLCHAIN_DEFERRED",
	[USER_RECORD_ATTR] = "ATTR",
	[USER_RECORD_EVENT_TYPE] = "EVENT_TYPE",
	[USER_RECORD_TRACING_DATA] = "TRACING_DATA",
	[USER_RECORD_BUILD_ID] = "BUILD_ID",
	[USER_RECORD_FINISHED_ROUND] = "FINISHED_ROUND",
	[USER_RECORD_ID_INDEX] = "ID_INDEX",
	[USER_RECORD_AUXTRACE_INFO] = "AUXTRACE_INFO",
	[USER_RECORD_AUXTRACE] = "AUXTRACE",
	[USER_RECORD_AUXTRACE_ERROR] = "AUXTRACE_ERROR",
	[USER_RECORD_THREAD_MAP] = "THREAD_MAP",
	[USER_RECORD_CPU_MAP] = "CPU_MAP",
	[USER_RECORD_STAT_CONFIG] = "STAT_CONFIG",
	[USER_RECORD_STAT] = "STAT",
	[USER_RECORD_STAT_ROUND] = "STAT_ROUND",
	[USER_RECORD_EVENT_UPDATE] = "EVENT_UPDATE",
	[USER_RECORD_TIME_CONV] = "TIME_CONV",
	[USER_RECORD_HEADER_FEATURE] = "FEATURE",
	[USER_RECORD_COMPRESSED] = "COMPRESSED",
	[USER_RECORD_FINISHED_INIT] = "FINISHED_INIT",
	[USER_RECORD_COMPRESSED2] = "COMPRESSED2",
	[USER_RECORD_BPF_METADATA] = "BPF_METADATA",
};

const char *record_type__name(u32 type)
{
	return type < ARRAY_SIZE(record_names) ? record_names[type] : NULL;
}

static const char *const feature_names[] = {
	[FEAT_TRACING_DATA] = "TRACING_DATA",
	[FEAT_BUILD_ID] = "BUILD_ID",
	[FEAT_HOSTNAME] = "HOSTNAME",
	[FEAT_OSRELEASE] = "OSRELEASE",
	[FEAT_VERSION] = "VERSION",
	[FEAT_ARCH] = "ARCH",
	[FEAT_NRCPUS] = "NRCPUS",
	[FEAT_CPUDESC] = "CPUDESC",
	[FEAT_CPUID] = "CPUID",
	[FEAT_TOTAL_MEM] = "TOTAL_MEM",
	[FEAT_CMDLINE] = "CMDLINE",
	[FEAT_EVENT_DESC] = "EVENT_DESC",
	[FEAT_CPU_TOPOLOGY] = "CPU_TOPOLOGY",
	[FEAT_NUMA_TOPOLOGY] = "NUMA_TOPOLOGY",
	[FEAT_BRANCH_STACK] = "BRANCH_STACK",
	[FEAT_PMU_MAPPINGS] = "PMU_MAPPINGS",
	[FEAT_GROUP_DESC] = "GROUP_DESC",
	[FEAT_AUXTRACE] = "AUXTRACE",
	[FEAT_STAT] = "STAT",
	[FEAT_CACHE] = "CACHE",
	[FEAT_SAMPLE_TIME] = "SAMPLE_TIME",
	[FEAT_MEM_TOPOLOGY] = "MEM_TOPOLOGY",
	[FEAT_CLOCKID] = "CLOCKID",
	[FEAT_DIR_FORMAT] = "DIR_FORMAT",
	[FEAT_BPF_PROG_INFO] = "BPF_PROG_INFO",
	[FEAT_BPF_BTF] = "BPF_BTF",
	[FEAT_COMPRESSED] = "COMPRESSED",
	[FEAT_CPU_PMU_CAPS] = "CPU_PMU_CAPS",
	[FEAT_CLOCK_DATA] = "CLOCK_DATA",
	[FEAT_HYBRID_TOPOLOGY] = "HYBRID_TOPOLOGY",
	[FEAT_PMU_CAPS] = "PMU_CAPS",
	[FEAT_CPU_DOMAIN_INFO] = "CPU_DOMAIN_INFO",
	[FEAT_E_MACHINE] = "E_MACHINE",
	[FEAT_CLN_SIZE] = "CLN_SIZE",
};

const char *feature__name(u32 feat)
{
	return feat < ARRAY_SIZE(feature_names) ? feature_names[feat] : NULL;
}
