/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the agent in a process that runs already: one that its owner has loaded into it. What there
 * is of it from the outside is its memory, in /proc/PID. Whoever may look into a process there may
 * open it.
 */
#ifndef PERF_RECORD_AGENT_ATTACH_H
#define PERF_RECORD_AGENT_ATTACH_H

#include "../agent/agent-memory.h"

/*
 * Opens the memory of the agent in a process. Two recorders cannot have it at the same time: it is
 * locked until it is closed, .fd too.
 * @m: filled; for agent_memory__free()
 * @pid: the process
 * @hello: out: what the agent says
 * Returns: 0; -ENOENT: the process has no agent that could be attached to; -EBUSY: another recorder
 *          has it; another -errno.
 */
int agent_attach__open(struct agent_memory *m, u32 pid, struct agent_hello *hello);

#endif
