/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The records of ring buffers and of perf.data files, one struct for each type.
 *
 * Types below 64 come from the kernel (<linux/perf_event.h>), the others are written by perf. After
 * the fields shown here, records of the kernel may carry a sample_id trailer (attr.sample_id_all).
 * Strings and arrays at the end are as long as header.size says, not as long as declared here.
 */
#ifndef LIBPERF_EVENT_H
#define LIBPERF_EVENT_H

#include <linux/bpf.h>
#include <linux/limits.h>
#include <linux/perf_event.h>
#include <linux/types.h>
#include <perf/schedstat.h>
#include <stddef.h>
#include <sys/types.h>

/* Does a record reach to the end of this field? Of fields of fixed size only. */
#define event_contains(obj, mem) \
	((obj).header.size >= offsetof(__typeof__(obj), mem) + sizeof((obj).mem))

#ifndef KSYM_NAME_LEN
#define KSYM_NAME_LEN 512
#endif

/* Records of the kernel */

struct perf_record_mmap {
	struct perf_event_header header;
	__u32 pid, tid;
	__u64 start, len, pgoff;
	char filename[PATH_MAX];
};

/* PERF_RECORD_MISC_MMAP_BUILD_ID in header.misc tells which half of the union it is. */
struct perf_record_mmap2 {
	struct perf_event_header header;
	__u32 pid, tid;
	__u64 start, len, pgoff;
	union {
		struct {
			__u32 maj, min;
			__u64 ino, ino_generation;
		};
		struct {
			__u8 build_id_size;
			__u8 __reserved_1;
			__u16 __reserved_2;
			__u8 build_id[20];
		};
	};
	__u32 prot, flags;
	char filename[PATH_MAX];
};

struct perf_record_comm {
	struct perf_event_header header;
	__u32 pid, tid;
	char comm[16];
};

struct perf_record_namespaces {
	struct perf_event_header header;
	__u32 pid, tid;
	__u64 nr_namespaces;
	struct perf_ns_link_info link_info[];
};

/* PERF_RECORD_FORK and PERF_RECORD_EXIT */
struct perf_record_fork {
	struct perf_event_header header;
	__u32 pid, ppid;
	__u32 tid, ptid;
	__u64 time;
};

struct perf_record_lost {
	struct perf_event_header header;
	__u64 id, lost;
};

#define PERF_RECORD_MISC_LOST_SAMPLES_BPF (1 << 15)

struct perf_record_lost_samples {
	struct perf_event_header header;
	__u64 lost;
};

#define MAX_ID_HDR_ENTRIES 6
struct perf_record_lost_samples_and_ids {
	struct perf_record_lost_samples lost;
	__u64 sample_ids[MAX_ID_HDR_ENTRIES];
};

/* Only if attr.read_format has all of ENABLED, RUNNING, ID and LOST; else fields are left out. */
struct perf_record_read {
	struct perf_event_header header;
	__u32 pid, tid;
	__u64 value, time_enabled, time_running;
	__u64 id, lost;
};

/* PERF_RECORD_THROTTLE and PERF_RECORD_UNTHROTTLE */
struct perf_record_throttle {
	struct perf_event_header header;
	__u64 time, id, stream_id;
};

struct perf_record_ksymbol {
	struct perf_event_header header;
	__u64 addr;
	__u32 len;
	__u16 ksym_type, flags;
	char name[KSYM_NAME_LEN];
};

struct perf_record_bpf_event {
	struct perf_event_header header;
	__u16 type, flags;
	__u32 id;
	__u8 tag[BPF_TAG_SIZE]; /* programs only */
};

struct perf_record_cgroup {
	struct perf_event_header header;
	__u64 id;
	char path[PATH_MAX];
};

/* bytes: old_len before, then new_len after the change */
struct perf_record_text_poke_event {
	struct perf_event_header header;
	__u64 addr;
	__u16 old_len, new_len;
	__u8 bytes[];
};

/* What is in the array, and in which order, is told by attr.sample_type. */
struct perf_record_sample {
	struct perf_event_header header;
	__u64 array[];
};

/* PERF_RECORD_SWITCH has the header alone, PERF_RECORD_SWITCH_CPU_WIDE all of it. */
struct perf_record_switch {
	struct perf_event_header header;
	__u32 next_prev_pid, next_prev_tid;
};

/*
 * The user part of callchains that end in PERF_CONTEXT_USER_DEFERRED and the same cookie. The ips
 * hold no context markers.
 */
struct perf_record_callchain_deferred {
	struct perf_event_header header;
	__u64 cookie;
	__u64 nr;
	__u64 ips[];
};

struct perf_record_aux {
	struct perf_event_header header;
	__u64 aux_offset, aux_size, flags;
};

struct perf_record_itrace_start {
	struct perf_event_header header;
	__u32 pid, tid;
};

struct perf_record_aux_output_hw_id {
	struct perf_event_header header;
	__u64 hw_id;
};

/* Records of perf */

/* The event's ids follow behind attr.size bytes of attr: perf_record_header_attr_id(). */
struct perf_record_header_attr {
	struct perf_event_header header;
	struct perf_event_attr attr;
};

#define perf_record_header_attr_id(evt) \
	((void *)((char *)&(evt)->attr.attr + (evt)->attr.attr.size))

/* The forms of a CPU map */
enum {
	PERF_CPU_MAP__CPUS = 0,
	PERF_CPU_MAP__MASK = 1,
	PERF_CPU_MAP__RANGE_CPUS = 2,
};

struct cpu_map_entries {
	__u16 nr;
	__u16 cpu[];
};

struct perf_record_mask_cpu_map32 {
	__u16 nr;
	__u16 long_size; /* 4 */
	__u32 mask[];
};

struct perf_record_mask_cpu_map64 {
	__u16 nr;
	__u16 long_size; /* 8 */
	char __pad[4];
	__u64 mask[];
};

struct perf_record_range_cpu_map {
	__u8 any_cpu; /* 1: also -1 */
	__u8 __pad;
	__u16 start_cpu, end_cpu;
};

/* Packed, so that the maps begin 2 bytes behind an 8-byte boundary, as in old files. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpacked"
#pragma GCC diagnostic ignored "-Wattributes"
struct perf_record_cpu_map_data {
	__u16 type;
	union {
		struct cpu_map_entries cpus_data;
		struct perf_record_mask_cpu_map32 mask32_data; /* __MASK, long_size 4 */
		struct perf_record_mask_cpu_map64 mask64_data; /* __MASK, long_size 8 */
		struct perf_record_range_cpu_map range_cpu_data;
	};
} __attribute__((packed));
#pragma GCC diagnostic pop

struct perf_record_cpu_map {
	struct perf_event_header header;
	struct perf_record_cpu_map_data data;
};

/* What an event update is about */
enum {
	PERF_EVENT_UPDATE__UNIT = 0,
	PERF_EVENT_UPDATE__SCALE = 1,
	PERF_EVENT_UPDATE__NAME = 2,
	PERF_EVENT_UPDATE__CPUS = 3,
};

struct perf_record_event_update_cpus {
	struct perf_record_cpu_map_data cpus;
};

struct perf_record_event_update_scale {
	double scale;
};

struct perf_record_event_update {
	struct perf_event_header header;
	__u64 type, id;
	union {
		struct perf_record_event_update_scale scale;
		char unit[0];
		char name[0];
		struct perf_record_event_update_cpus cpus;
	};
};

#define MAX_EVENT_NAME 64

struct perf_trace_event_type {
	__u64 event_id;
	char name[MAX_EVENT_NAME];
};

struct perf_record_header_event_type {
	struct perf_event_header header;
	struct perf_trace_event_type event_type;
};

/* size bytes of tracing data follow behind the record, not in it. */
struct perf_record_header_tracing_data {
	struct perf_event_header header;
	__u32 size;
	__u32 pad;
};

/* In header.misc: size is meant; without it the build-id has 20 bytes. */
#define PERF_RECORD_MISC_BUILD_ID_SIZE (1 << 15)

struct perf_record_header_build_id {
	struct perf_event_header header;
	pid_t pid;
	union {
		__u8 build_id[24];
		struct {
			__u8 data[20];
			__u8 size;
			__u8 reserved1__;
			__u16 reserved2__;
		};
	};
	char filename[];
};

struct id_index_entry {
	__u64 id, idx, cpu, tid;
};

/* As many of these may follow behind the entries. */
struct id_index_entry_2 {
	__u64 machine_pid, vcpu;
};

struct perf_record_id_index {
	struct perf_event_header header;
	__u64 nr;
	struct id_index_entry entries[];
};

struct perf_record_auxtrace_info {
	struct perf_event_header header;
	__u32 type;
	__u32 reserved__;
	__u64 priv[];
};

/* size bytes of trace follow behind the record, not in it. */
struct perf_record_auxtrace {
	struct perf_event_header header;
	__u64 size, offset, reference;
	__u32 idx, tid, cpu;
	__u32 reserved__;
};

#define MAX_AUXTRACE_ERROR_MSG 64

struct perf_record_auxtrace_error {
	struct perf_event_header header;
	__u32 type, code;
	__u32 cpu, pid, tid;
	__u32 fmt;
	__u64 ip, time;
	char msg[MAX_AUXTRACE_ERROR_MSG];
	__u32 machine_pid, vcpu;
};

struct perf_record_thread_map_entry {
	__u64 pid;
	char comm[16];
};

struct perf_record_thread_map {
	struct perf_event_header header;
	__u64 nr;
	struct perf_record_thread_map_entry entries[];
};

enum {
	PERF_STAT_CONFIG_TERM__AGGR_MODE = 0,
	PERF_STAT_CONFIG_TERM__INTERVAL = 1,
	PERF_STAT_CONFIG_TERM__SCALE = 2,
	PERF_STAT_CONFIG_TERM__AGGR_LEVEL = 3,
	PERF_STAT_CONFIG_TERM__MAX = 4,
};

struct perf_record_stat_config_entry {
	__u64 tag, val;
};

struct perf_record_stat_config {
	struct perf_event_header header;
	__u64 nr;
	struct perf_record_stat_config_entry data[];
};

struct perf_record_stat {
	struct perf_event_header header;
	__u64 id;
	__u32 cpu, thread;
	union {
		struct {
			__u64 val, ena, run;
		};
		__u64 values[3];
	};
};

struct perf_record_stat_round {
	struct perf_event_header header;
	__u64 type, time;
};

/* Old files end after time_zero. */
struct perf_record_time_conv {
	struct perf_event_header header;
	__u64 time_shift, time_mult, time_zero;
	__u64 time_cycles, time_mask;
	__u8 cap_user_time_zero, cap_user_time_short;
	__u8 reserved[6];
};

struct perf_record_header_feature {
	struct perf_event_header header;
	__u64 feat_id;
	char data[];
};

/* One zstd block, to the end of the record */
struct perf_record_compressed {
	struct perf_event_header header;
	char data[];
};

/* data_size bytes of it; the rest, to a multiple of 8, is padding. */
struct perf_record_compressed2 {
	struct perf_event_header header;
	__u64 data_size;
	char data[];
};

#define BPF_METADATA_KEY_LEN 64
#define BPF_METADATA_VALUE_LEN 256
#define BPF_PROG_NAME_LEN KSYM_NAME_LEN

struct perf_record_bpf_metadata_entry {
	char key[BPF_METADATA_KEY_LEN];
	char value[BPF_METADATA_VALUE_LEN];
};

struct perf_record_bpf_metadata {
	struct perf_event_header header;
	char prog_name[BPF_PROG_NAME_LEN];
	__u64 nr_entries;
	struct perf_record_bpf_metadata_entry entries[];
};

/* version says which member of the union it is. */
struct perf_record_schedstat_cpu {
	struct perf_event_header header;
	__u64 timestamp;
	__u32 cpu;
	__u16 version;
	char __pad[2];
	union {
		struct perf_record_schedstat_cpu_v15 v15;
		struct perf_record_schedstat_cpu_v16 v16;
		struct perf_record_schedstat_cpu_v17 v17;
	};
};

#define DOMAIN_NAME_LEN 16

struct perf_record_schedstat_domain {
	struct perf_event_header header;
	__u64 timestamp;
	__u32 cpu;
	__u16 version, domain;
	union {
		struct perf_record_schedstat_domain_v15 v15;
		struct perf_record_schedstat_domain_v16 v16;
		struct perf_record_schedstat_domain_v17 v17;
	};
};

enum perf_user_event_type {
	PERF_RECORD_USER_TYPE_START = 64,
	PERF_RECORD_HEADER_ATTR = 64,
	PERF_RECORD_HEADER_EVENT_TYPE = 65, /* in very old files only */
	PERF_RECORD_HEADER_TRACING_DATA = 66,
	PERF_RECORD_HEADER_BUILD_ID = 67,
	PERF_RECORD_FINISHED_ROUND = 68,
	PERF_RECORD_ID_INDEX = 69,
	PERF_RECORD_AUXTRACE_INFO = 70,
	PERF_RECORD_AUXTRACE = 71,
	PERF_RECORD_AUXTRACE_ERROR = 72,
	PERF_RECORD_THREAD_MAP = 73,
	PERF_RECORD_CPU_MAP = 74,
	PERF_RECORD_STAT_CONFIG = 75,
	PERF_RECORD_STAT = 76,
	PERF_RECORD_STAT_ROUND = 77,
	PERF_RECORD_EVENT_UPDATE = 78,
	PERF_RECORD_TIME_CONV = 79,
	PERF_RECORD_HEADER_FEATURE = 80,
	PERF_RECORD_COMPRESSED = 81,
	PERF_RECORD_FINISHED_INIT = 82,
	PERF_RECORD_COMPRESSED2 = 83,
	PERF_RECORD_BPF_METADATA = 84,
	PERF_RECORD_SCHEDSTAT_CPU = 85,
	PERF_RECORD_SCHEDSTAT_DOMAIN = 86,
	PERF_RECORD_HEADER_MAX,
};

union perf_event {
	struct perf_event_header header;
	struct perf_record_mmap mmap;
	struct perf_record_mmap2 mmap2;
	struct perf_record_comm comm;
	struct perf_record_namespaces namespaces;
	struct perf_record_cgroup cgroup;
	struct perf_record_fork fork;
	struct perf_record_lost lost;
	struct perf_record_lost_samples lost_samples;
	struct perf_record_read read;
	struct perf_record_throttle throttle;
	struct perf_record_sample sample;
	struct perf_record_callchain_deferred callchain_deferred;
	struct perf_record_bpf_event bpf;
	struct perf_record_ksymbol ksymbol;
	struct perf_record_text_poke_event text_poke;
	struct perf_record_header_attr attr;
	struct perf_record_event_update event_update;
	struct perf_record_header_event_type event_type;
	struct perf_record_header_tracing_data tracing_data;
	struct perf_record_header_build_id build_id;
	struct perf_record_id_index id_index;
	struct perf_record_auxtrace_info auxtrace_info;
	struct perf_record_auxtrace auxtrace;
	struct perf_record_auxtrace_error auxtrace_error;
	struct perf_record_aux aux;
	struct perf_record_itrace_start itrace_start;
	struct perf_record_aux_output_hw_id aux_output_hw_id;
	struct perf_record_switch context_switch;
	struct perf_record_thread_map thread_map;
	struct perf_record_cpu_map cpu_map;
	struct perf_record_stat_config stat_config;
	struct perf_record_stat stat;
	struct perf_record_stat_round stat_round;
	struct perf_record_time_conv time_conv;
	struct perf_record_header_feature feat;
	struct perf_record_compressed pack;
	struct perf_record_compressed2 pack2;
	struct perf_record_bpf_metadata bpf_metadata;
	struct perf_record_schedstat_cpu schedstat_cpu;
	struct perf_record_schedstat_domain schedstat_domain;
};

#endif
