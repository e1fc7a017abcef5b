/* SPDX-License-Identifier: GPL-2.0-only */
/* Files whose names others chose: a recording, a process in its maps, a link in its place. */
#ifndef PERF_BASE_REGULAR_FILE_H
#define PERF_BASE_REGULAR_FILE_H

#include "types.h"

/*
 * Read-only and close-on-exec. -EINVAL for what is no regular file, which is not touched, or
 * another -errno.
 */
int regular_file__open(const char *path);

#endif
