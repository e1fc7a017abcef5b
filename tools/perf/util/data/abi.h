/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perf event ABI and the perf.data format: what <linux/perf_event.h> of the system may be too
 * old to define.
 *
 * Sources: include/uapi/linux/perf_event.h of Linux 7.2 (record types, attr bits, contexts) and
 * tools/perf/Documentation/perf.data-file-format.txt (features, user-space record types).
 */
#ifndef PERF_DATA_ABI_H
#define PERF_DATA_ABI_H

#include <linux/perf_event.h>

#include "../../../lib/unwind/core/types.h"

/* Bits of the attr's flag word (the u64 at byte 40) that the system's header may not name. */
enum attr_bit {
	ATTR_BIT_BUILD_ID = 34,
	ATTR_BIT_INHERIT_THREAD = 35,
	ATTR_BIT_REMOVE_ON_EXEC = 36,
	ATTR_BIT_SIGTRAP = 37,
	ATTR_BIT_DEFER_CALLCHAIN = 38, /* samples carry marker + cookie instead of the user part */
	ATTR_BIT_DEFER_OUTPUT = 39,    /* this event's buffer gets the CALLCHAIN_DEFERRED records */
};

/* The flag word: the u64 of bit fields that starts with "disabled". */
#define ATTR_FLAGS_OFFSET 40

/*
 * Compilers lay bit fields out from the lowest bit of a word, on big-endian machines from the
 * highest.
 * @bit: the first of a field, counted from the first field
 * @width: of the field
 * Returns: how far it is shifted in the word.
 */
static inline u32 attr_bit__shift(u32 bit, u32 width)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 64 - bit - width : bit;
}

/* Returns: the field of the flag word from @bit on, @width bits of it. */
static inline u64 attr__flags(const struct perf_event_attr *attr, u32 bit, u32 width)
{
	u64 flags;

	__builtin_memcpy(&flags, (const u8 *)attr + ATTR_FLAGS_OFFSET, sizeof(flags));
	return flags >> attr_bit__shift(bit, width) & (BIT_ULL(width) - 1);
}

/* Returns: whether the flag @bit is set. */
static inline bool attr__test_bit(const struct perf_event_attr *attr, enum attr_bit bit)
{
	return attr__flags(attr, bit, 1);
}

/* Sets the flag @bit, or clears it unless @on. */
void attr__set_bit(struct perf_event_attr *attr, enum attr_bit bit, bool on);

/*
 * @attr: the bytes of an attr, perhaps of a newer kernel than this program knows
 * @size: how many
 * Returns: the smallest published size of an attr (PERF_ATTR_SIZE_VERn) that holds all bytes which
 *         are not zero.
 */
u32 attr_bytes__min_size(const void *attr, u32 size);

#ifndef PERF_ATTR_SIZE_VER7
#define PERF_ATTR_SIZE_VER7 128 /* Linux 5.13 to 6.5 */
#endif

/* Kernel record types beyond those of the oldest header that we build with (6.1). */
#define ABI_RECORD_AUX_OUTPUT_HW_ID 21
#define ABI_RECORD_CALLCHAIN_DEFERRED 22

/* The same for attr.branch_sample_type. */
#define ABI_BRANCH_COUNTERS (1ULL << 19)

/* Context markers inside callchains; addresses are never this large. */
#define ABI_CONTEXT_HV ((u64)-32)
#define ABI_CONTEXT_KERNEL ((u64)-128)
#define ABI_CONTEXT_USER ((u64)-512)
#define ABI_CONTEXT_USER_DEFERRED ((u64)-640) /* the next entry is the cookie */
#define ABI_CONTEXT_GUEST ((u64)-2048)
#define ABI_CONTEXT_GUEST_KERNEL ((u64)-2176)
#define ABI_CONTEXT_GUEST_USER ((u64)-2560)
#define ABI_CONTEXT_MAX ((u64)-4095)

/* Returns: whether @ip, an entry of a callchain, is a context marker and no address. */
static inline bool ip__is_context(u64 ip)
{
	return ip >= ABI_CONTEXT_MAX;
}

/*
 * Stands in the user part of a callchain for frames that found no room, between the innermost and
 * the outermost ones. It is no address of any program, so other perfs show an unknown function.
 */
#define CALLCHAIN_GAP 0x7ffffffffffff000ULL

/* Returns: whether @ip is that, or what is looked up for it as if it were a return address. */
static inline bool ip__is_gap(u64 ip)
{
	return CALLCHAIN_GAP - ip <= 1;
}

/* "PERFILE2": with it a perf.data file begins, as a number of the machine that has written it. */
#define ABI_FILE_MAGIC 0x32454c4946524550ULL

/* header.misc */
#define ABI_MISC_CPUMODE_MASK 7
#define ABI_MISC_MMAP_DATA (1 << 13)
#define ABI_MISC_COMM_EXEC (1 << 13)
#define ABI_MISC_FORK_EXEC (1 << 13)
#define ABI_MISC_SWITCH_OUT (1 << 13)
#define ABI_MISC_SWITCH_OUT_PREEMPT (1 << 14)
#define ABI_MISC_MMAP_BUILD_ID (1 << 14)
#define ABI_MISC_EXACT_IP (1 << 14) /* SAMPLE: its ip is that of the event (PEBS, IBS) */
#define ABI_MISC_LOST_SAMPLES_BPF (1 << 15) /* LOST_SAMPLES: dropped by a filter, not lost */
#define ABI_MISC_BUILD_ID_SIZE (1 << 15) /* USER_RECORD_BUILD_ID: byte 20 of the id is its size */

/* Record types that only user space writes. */
enum user_record {
	USER_RECORD_ATTR = 64,
	USER_RECORD_EVENT_TYPE = 65,
	USER_RECORD_TRACING_DATA = 66,
	USER_RECORD_BUILD_ID = 67,
	USER_RECORD_FINISHED_ROUND = 68,
	USER_RECORD_ID_INDEX = 69,
	USER_RECORD_AUXTRACE_INFO = 70,
	USER_RECORD_AUXTRACE = 71,
	USER_RECORD_AUXTRACE_ERROR = 72,
	USER_RECORD_THREAD_MAP = 73,
	USER_RECORD_CPU_MAP = 74,
	USER_RECORD_STAT_CONFIG = 75,
	USER_RECORD_STAT = 76,
	USER_RECORD_STAT_ROUND = 77,
	USER_RECORD_EVENT_UPDATE = 78,
	USER_RECORD_TIME_CONV = 79,
	USER_RECORD_HEADER_FEATURE = 80,
	USER_RECORD_COMPRESSED = 81,  /* payload is one zstd block, exactly to the record's end */
	USER_RECORD_FINISHED_INIT = 82,
	USER_RECORD_COMPRESSED2 = 83, /* u64 data_size, payload, padding to 8 */
	USER_RECORD_BPF_METADATA = 84,
};
#define USER_RECORD_FIRST 64

enum event_update { /* what an EVENT_UPDATE record changes of an event */
	EVENT_UPDATE_UNIT = 0,
	EVENT_UPDATE_SCALE = 1,
	EVENT_UPDATE_NAME = 2,
	EVENT_UPDATE_CPUS = 3,
};

/* Sections after the data, one bit each in the header's feature bitmap. */
enum data_feature {
	FEAT_TRACING_DATA = 1,
	FEAT_BUILD_ID = 2,
	FEAT_HOSTNAME = 3,
	FEAT_OSRELEASE = 4,
	FEAT_VERSION = 5,
	FEAT_ARCH = 6,
	FEAT_NRCPUS = 7,
	FEAT_CPUDESC = 8,
	FEAT_CPUID = 9,
	FEAT_TOTAL_MEM = 10,
	FEAT_CMDLINE = 11,
	FEAT_EVENT_DESC = 12,
	FEAT_CPU_TOPOLOGY = 13,
	FEAT_NUMA_TOPOLOGY = 14,
	FEAT_BRANCH_STACK = 15,
	FEAT_PMU_MAPPINGS = 16,
	FEAT_GROUP_DESC = 17,
	FEAT_AUXTRACE = 18,
	FEAT_STAT = 19,
	FEAT_CACHE = 20,
	FEAT_SAMPLE_TIME = 21,
	FEAT_MEM_TOPOLOGY = 22,
	FEAT_CLOCKID = 23,
	FEAT_DIR_FORMAT = 24,
	FEAT_BPF_PROG_INFO = 25,
	FEAT_BPF_BTF = 26,
	FEAT_COMPRESSED = 27,
	FEAT_CPU_PMU_CAPS = 28,
	FEAT_CLOCK_DATA = 29,
	FEAT_HYBRID_TOPOLOGY = 30,
	FEAT_PMU_CAPS = 31,
	FEAT_CPU_DOMAIN_INFO = 32,
	FEAT_E_MACHINE = 33,
	FEAT_CLN_SIZE = 34,
	FEAT_LAST = 256, /* bits in the bitmap */
};

/*
 * Returns: "SAMPLE", "MMAP2", "CALLCHAIN_DEFERRED", ...; NULL for a @type that this program does
 *         not know.
 */
const char *record_type__name(u32 type);

/*
 * Returns: "HOSTNAME", "BUILD_ID", ...; NULL for a feature @feat that this program does not know.
 */
const char *feature__name(u32 feat);

#endif
