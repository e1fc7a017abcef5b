/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The user stack of a thread that sleeps in the kernel, read without stopping it. /proc says where
 * its stack and its code are as long as it does not run, and how often it has been switched: as
 * long as all of that is the same, so is its stack.
 */
#ifndef PERF_LIVE_ASLEEP_H
#define PERF_LIVE_ASLEEP_H

#include "../../../lib/unwind/core/types.h"
#include "../io/process-memory.h"

#define ASLEEP_COPY PROCESS_MEMORY_MAX /* of its stack; asleep__read_memory() reads the rest */

struct asleep {
	struct side_process *reader; /* process_memory__reader(); set by who uses this */
	u32 tid;
	u64 pc, sp;       /* of its user code */
	u64 switches;     /* context switches so far */
	size_t size;      /* of the stack from sp on; 0: there is nothing */
	u8 stack[ASLEEP_COPY];
	u64 window_at;    /* what the reader has read last beyond that */
	size_t window_size;
	u8 window[ASLEEP_COPY];
};

/*
 * Reads where thread @tid sleeps, and its stack.
 * Returns: 0; -EAGAIN: it runs; -ENOENT: it is gone, or is no thread with user code; -EPERM,
 *         -EACCES: it may not be looked at; -ETIMEDOUT: its memory does not answer; -EDQUOT: too
 *         often; another -errno.
 */
int asleep__read(struct asleep *a, u32 tid);

/*
 * Returns: whether the thread has slept all the time since asleep__read() has begun. What was read
 * of it until now is then its stack of that time.
 */
bool asleep__is_still(const struct asleep *a);

/* Reads @size bytes of its memory at @addr into @to. Returns: false when they cannot be read. */
bool asleep__read_memory(struct asleep *a, u64 addr, void *to, size_t size);

#endif
