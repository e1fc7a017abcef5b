/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs that come online while recording. Events are opened on those that are online at the
 * beginning, and the kernel takes those of a CPU away when it goes offline: they do not come back
 * with it. Until events are opened there, what runs on such a CPU leaves no record.
 */
#ifndef PERF_LIVE_CPU_WATCH_H
#define PERF_LIVE_CPU_WATCH_H

#include "../event/target.h"

struct perf_cpu_map;

struct cpu_watch {
	struct perf_cpu_map *with_events; /* those still online; NULL: none are watched */
	int messages;                     /* socket of the kernel's; -1: none */
	u64 looked_ms;
};

/*
 * Begins with the CPUs that are online now (/sys/devices/system/cpu/online).
 * @on: false: nothing is watched, and nothing found
 */
void cpu_watch__init(struct cpu_watch *w, bool on);

/* Also for one of zeros. */
void cpu_watch__exit(struct cpu_watch *w);

/*
 * Looks, if the last time was CPU_WATCH_MS ago. Each CPU is found once, unless it goes and comes
 * back.
 * @now_ms: of CLOCK_MONOTONIC
 * @found: those that are online and have no events are appended; the caller frees it
 * Returns: whether there are any.
 */
bool cpu_watch__look(struct cpu_watch *w, u64 now_ms, id_vec *found);

#define CPU_WATCH_MS 50

#endif
