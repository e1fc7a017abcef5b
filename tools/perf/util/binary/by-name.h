/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files looked up by name. @at_once: only in what the kernel has in memory, on local file systems:
 * it may be unsure then. NULL: as long as it takes.
 */
#ifndef PERF_BINARY_BY_NAME_H
#define PERF_BINARY_BY_NAME_H

#include "../io/regular-file.h"

/*
 * Opens a regular file by its name.
 * @path: not trusted
 * @at_once: see above
 * Returns: a descriptor that the caller owns, or -errno.
 */
static inline int by_name__open(const char *path, struct mounts *at_once)
{
	return at_once ? regular_file__open_at_once(path, at_once) : regular_file__open(path);
}

/*
 * @fd: what by_name__open() has returned
 * @at_once: as it was told
 * Returns: true when that does not tell whether there is such a file.
 */
static inline bool by_name__is_unsure(int fd, const struct mounts *at_once)
{
	return at_once && fd == -EAGAIN;
}

#endif
