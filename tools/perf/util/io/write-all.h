/* SPDX-License-Identifier: GPL-2.0-only */
/* write(), until everything is written. */
#ifndef PERF_IO_WRITE_ALL_H
#define PERF_IO_WRITE_ALL_H

#include <unistd.h>

#include "../../../lib/unwind/core/types.h"

/*
 * Writes all of a buffer.
 * @fd: where to
 * @data, @size: what, in bytes
 * @done: grows by what was written, also on failure; may be NULL
 * Returns: 0 or -errno.
 */
static inline int write_all(int fd, const void *data, size_t size, u64 *done)
{
	const u8 *p = data;

	while (size) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		p += n;
		size -= n;
		if (done)
			*done += n;
	}
	return 0;
}

#endif
