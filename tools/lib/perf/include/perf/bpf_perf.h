/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * What programs that share counters through BPF agree on: a map, pinned under this name in bpffs,
 * whose keys are perf_event_attr and whose values are this.
 */
#ifndef LIBPERF_BPF_PERF_H
#define LIBPERF_BPF_PERF_H

#include <linux/types.h>

struct perf_event_attr_map_entry {
	__u32 link_id;     /* BPF link of the leader program */
	__u32 diff_map_id; /* BPF map of the differences that it accumulates */
};

#define BPF_PERF_DEFAULT_ATTR_MAP_PATH "perf_attr_map"

#endif
