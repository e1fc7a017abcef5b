/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory of other processes.
 *
 * It may be such that it never answers: a mapping of a file that a FUSE server has, which may be
 * the program's own. Who may look at the programs of other users has it read by another process,
 * which can be left behind (side-process.h).
 */
#ifndef PERF_IO_PROCESS_MEMORY_H
#define PERF_IO_PROCESS_MEMORY_H

#include <sys/types.h>

#include "../../../lib/unwind/core/types.h"

#define PROCESS_MEMORY_MAX (32U << 10) /* bytes that are read at once */

struct side_process;

/*
 * Returns: a process that reads for us, for side_process__free(); NULL: only this user's programs
 *         can be looked at, and are read directly. For one thread.
 */
struct side_process *process_memory__reader(void);

/*
 * Reads @size bytes at @addr of the process of thread @tid, at most PROCESS_MEMORY_MAX, into @to.
 * @reader: as of process_memory__reader()
 * Returns: how many could be read; -EFAULT: none of them is there; -ESRCH, -ENOENT: it is gone;
 *         -EPERM, -EACCES: it may not be looked at; -ETIMEDOUT: it does not answer; -EDQUOT: too
 *         often; another -errno.
 */
ssize_t process_memory__read(struct side_process *reader, u32 tid, u64 addr, void *to, size_t size);

/* Who reads now and then: the other process is made when it is needed first. All zero is fine. */
struct memory_reader {
	u32 per_second;             /* reads; 0: any number */
	struct side_process *other; /* as of process_memory__reader(), once that was asked */
	bool asked;
	u64 second;                 /* the present one, CLOCK_MONOTONIC, and what was read in it */
	u32 nr_of_second;
};

/*
 * Reads @size bytes at @addr of the process of thread @tid into @to.
 * Returns: as process_memory__read(); -EDQUOT: too often in this second, too.
 */
ssize_t memory_reader__read(struct memory_reader *r, u32 tid, u64 addr, void *to, size_t size);

/* Frees what it has. */
void memory_reader__free(struct memory_reader *r);

#endif
