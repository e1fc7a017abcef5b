/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opening files whose names others chose: a recording, the maps of a process, or a symbolic link.
 */
#ifndef PERF_IO_REGULAR_FILE_H
#define PERF_IO_REGULAR_FILE_H

#include "../../../lib/unwind/core/types.h"

/*
 * Opens @path read-only and close-on-exec.
 * Returns: a descriptor, the caller's; -EINVAL if it is not a regular file, which is then not
 *         touched; another -errno.
 */
int regular_file__open(const char *path);

/*
 * The same for local file systems only; -EREMOTE for one that another program or machine serves, to
 * which no request is sent. Looking up @path may send one, except for the links in /proc/PID.
 */
struct mounts;

/*
 * The same for local file systems only. Looking up @path may send a request to a file system on the
 * way, except for the links in /proc/PID.
 * @mounts: tells local ones
 * Returns: a descriptor; -EREMOTE for a file that another program or machine serves, which is sent
 *         no request; another -errno.
 */
int regular_file__open_local(const char *path, struct mounts *mounts);

/*
 * The same by any name, without waiting: @path is looked up only in what the kernel has in memory
 * (RESOLVE_CACHED of openat2(2), Linux 5.12), so that no file system on the way is asked, and not
 * by links in /proc. (One that is mounted on the file itself may be asked, where it checks its root
 * each time: NFS, 9p. Users who may mount those are trusted.)
 * @mounts: tells local ones
 * Returns: a descriptor; -EAGAIN when memory does not tell, or the file is on no local file system:
 *         a caller that can wait has to look it up; other errors, as -ENOENT, are certain.
 */
int regular_file__open_at_once(const char *path, struct mounts *mounts);

/* Returns: whether the open file @fd is on a local file system. @mounts tells. */
bool regular_file__is_local(int fd, struct mounts *mounts);

#endif
