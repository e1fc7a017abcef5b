/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots of this process, as the kernel would have put them into a sample: registers in perf's
 * numbering and stack bytes, with the chain that the unwinder of libgcc, that of C++ exceptions,
 * sees there. x86-64 only.
 */
#ifndef PERF_TESTS_LIB_SNAPSHOT_H
#define PERF_TESTS_LIB_SNAPSHOT_H

#include <sys/types.h>

#include "../../util/unwinder/unwinder.h"

#ifdef __x86_64__

#define SNAPSHOT_FRAMES 256
#define SNAPSHOT_BYTES (64 << 10)
#define SNAPSHOT_REGS 0xff01ffULL /* those that are known, as attr.sample_regs_user */

struct snapshot {
	struct unwind_regs regs;
	struct unwind_stack stack; /* of .copy */
	u8 copy[SNAPSHOT_BYTES];
	u64 expect[SNAPSHOT_FRAMES];
	u32 nr_expect;
};

/*
 * Of the caller. The first frame is snapshot__take() itself, of which .expect has another
 * address than the registers. Returns .nr_expect, so that nothing becomes a tail call.
 */
int snapshot__take(struct snapshot *s);

struct self_map {
	struct unwind_mapping m; /* .module: the inode */
	char path[512];
};

/* A process's mappings of code from files; returns how many. */
int self_map__read(struct self_map *maps, int max);
int pid_map__read(pid_t pid, struct self_map *maps, int max);

/*
 * Runs a traced child, which has just begun a program, to the entry of that, when the dynamic
 * linker has mapped everything.
 */
void pid__run_to_entry(pid_t pid);

#endif
#endif
