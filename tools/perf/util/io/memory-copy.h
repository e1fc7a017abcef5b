/* SPDX-License-Identifier: GPL-2.0-only */
/* Copies of files in memory: for what may not be read later, or only by waiting. */
#ifndef PERF_IO_MEMORY_COPY_H
#define PERF_IO_MEMORY_COPY_H

#include "../../../lib/unwind/core/types.h"

/*
 * Copies a regular file into a memory file.
 * @fd: of the file, at its beginning; is closed
 * @max: bytes that the copy may take
 * @copied: out: bytes that it takes
 * Returns: a descriptor that the caller owns; -EFBIG: it is larger than @max; another -errno.
 */
int memory_copy__take(int fd, u64 max, u64 *copied);

#endif
