/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opening files whose names others chose: a recording, the maps of a process, or a symbolic link.
 */
#ifndef PERF_IO_REGULAR_FILE_H
#define PERF_IO_REGULAR_FILE_H

#include "../base/types.h"

/*
 * Opens @path read-only and close-on-exec. A descriptor; -EINVAL if it is not a regular file, which
 * is then not touched; or another -errno.
 */
int regular_file__open(const char *path);

/*
 * The same for local file systems only; -EREMOTE for one that another program or machine serves, to
 * which no request is sent. Looking up @path may send one, except for the links in /proc/PID.
 */
struct mounts;
int regular_file__open_local(const char *path, struct mounts *mounts);

/*
 * The same by any name, and at once: the name is looked up only in what the kernel has in memory
 * (RESOLVE_CACHED of openat2(), Linux 5.12), so that no file system on the way is asked, and not
 * by links in /proc. (One that is mounted on the file itself may be, where it checks its root each
 * time: NFS, 9p. Who may mount that is trusted.) -EAGAIN: that does not tell, or what is found is
 * on no local file system: who can wait has to look it up. Other errors, as -ENOENT, are sure.
 */
int regular_file__open_at_once(const char *path, struct mounts *mounts);

/* Is the open file on a local file system? */
bool regular_file__is_local(int fd, struct mounts *mounts);

#endif
