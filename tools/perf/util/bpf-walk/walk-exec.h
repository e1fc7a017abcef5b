/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the walk's programs that are about execve(), private to this room. The kernel frees
 * the caller's stack half way through, so that samples behind that could not be walked. A second
 * program runs where that is about to happen, and keeps the stack; the first one finds it.
 */
#ifndef PERF_BPF_WALK_WALK_EXEC_H
#define PERF_BPF_WALK_WALK_EXEC_H

#include "walk-generator.h"

/*
 * Where the kernel is about to free the old memory: a tracepoint since 6.10, in a function (of
 * fs/exec.c) since 5.8.
 */
#define WALK_EXEC_TRACEPOINT "sched_prepare_exec"
#define WALK_EXEC_FUNCTION "begin_new_exec"

/*
 * @nr_cpus: of the machine
 * Returns: how many stacks are kept at a time: entries of the map `kept', a power of 2.
 */
u32 walk_exec__entries(u32 nr_cpus);

/*
 * Of the second program: keeps r6 bytes from @from of the scratch on, as this task's, and ends.
 * @from: AT(out) or AT(copy_out)
 */
void walk_exec__keep(struct generator *g, s16 from);

/*
 * Of the first one: writes what was kept of this task instead of a walk, and ends, if its stack is
 * gone in this very execve(); goes on behind itself if not.
 */
void walk_exec__use(struct generator *g);

#endif
