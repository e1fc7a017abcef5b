/* SPDX-License-Identifier: GPL-2.0-only */
/* Files whose names others chose: a recording, a process in its maps, a link in its place. */
#ifndef PERF_IO_REGULAR_FILE_H
#define PERF_IO_REGULAR_FILE_H

#include "../base/types.h"

/*
 * Read-only and close-on-exec. -EINVAL for what is no regular file, which is not touched, or
 * another -errno.
 */
int regular_file__open(const char *path);

/*
 * The same on a local file system; -EREMOTE for one that another program or machine serves, which
 * is not asked for anything. Looking up @path may ask it: by the links in /proc/PID it does not.
 */
struct mounts;
int regular_file__open_local(const char *path, struct mounts *mounts);

/* Is the open file on a local file system? */
bool regular_file__is_local(int fd, struct mounts *mounts);

#endif
