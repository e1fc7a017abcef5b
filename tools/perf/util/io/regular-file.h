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

/* Is the open file on a local file system? */
bool regular_file__is_local(int fd, struct mounts *mounts);

#endif
