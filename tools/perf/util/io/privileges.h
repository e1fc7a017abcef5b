/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Giving up capabilities (capabilities(7)) that are not needed any more, so that a mistake in what
 * reads other people's files and memory can be used for less. Why: Documentation/design/security.md
 *
 * A set of capabilities is a number with a bit for each, CAP_* of linux/capability.h. They belong
 * to threads: a new thread, and a forked process, begins with those of the thread that has made it.
 */
#ifndef PERF_IO_PRIVILEGES_H
#define PERF_IO_PRIVILEGES_H

#include <linux/capability.h>

#include "../../../lib/unwind/core/types.h"

#ifndef CAP_PERFMON /* Linux 5.8 */
#define CAP_PERFMON 38
#endif
#ifndef CAP_BPF /* Linux 5.8 */
#define CAP_BPF 39
#endif
#ifndef CAP_CHECKPOINT_RESTORE /* Linux 5.9 */
#define CAP_CHECKPOINT_RESTORE 40
#endif

#define PRIVILEGE(cap) BIT_ULL(cap)

/* Returns: the capabilities that this thread may use at present; 0 when they are not known. */
u64 privileges__effective(void);

/*
 * From now on this thread has no more than @set: neither for use nor in reserve, nor does a program
 * that it runs get others, be it setuid or root's. It gets nothing that it did not have. A thread
 * without any is left as it is. Where the kernel refuses, nothing changes.
 */
void privileges__keep(u64 set);

/*
 * Returns: the capabilities that it takes to look at the programs and files of any user by
 *         /proc/PID/maps, map_files, exe and root.
 */
u64 privileges__of_looking(void);

/* This thread may use those of @set at present that it has in reserve. */
void privileges__raise(u64 set);

/*
 * @dir: a descriptor of a folder; O_PATH will do
 * Returns: whether files can be made in the folder without the capabilities in @set.
 */
bool privileges__can_write_without(u64 set, int dir);

#endif
