/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tells local file systems, served by the kernel of this machine, from those that a program (FUSE)
 * or another machine (NFS) serves: opening or reading a file of the latter may never return.
 */
#ifndef PERF_IO_MOUNTS_H
#define PERF_IO_MOUNTS_H

#include <sys/types.h>

#include "../../../lib/unwind/core/types.h"

struct mounts;

/*
 * Reads the mounts of the present namespace, from /proc/self/mountinfo (proc(5)). They are read
 * again after a change.
 * Returns: what mounts__free() frees. Never NULL.
 */
struct mounts *mounts__new(void);

/* @m may be NULL. */
void mounts__free(struct mounts *m);

/*
 * Asks about a file system by its device.
 * @maj, @min: numbers of the device, as of stat(2)
 * Returns: false also for unknown devices, such as those of other namespaces. The file system at
 *         "/" always counts as local, since everything depends on it.
 */
bool mounts__is_local(struct mounts *m, u32 maj, u32 min);

/*
 * Asks for the user whose program serves a file system (FUSE): it may never answer, and what it
 * says of its files, whose they are and where links lead, is that user's word. Reads the mounts.
 * @maj, @min: numbers of the device
 * @uid: out: the user
 * Returns: whether there is one; false also for unknown devices, and for the file system at "/".
 */
bool mounts__server(u32 maj, u32 min, uid_t *uid);

#endif
