// SPDX-License-Identifier: GPL-2.0-only
#include "memory-copy.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

int memory_copy__take(int fd, u64 max, u64 *copied)
{
	int copy = memfd_create("copy", MFD_CLOEXEC), ret = copy < 0 ? -errno : 0;
	struct stat st;
	u64 done = 0;

	if (!ret && fstat(fd, &st))
		ret = -errno;
	else if (!ret && (u64)st.st_size > max)
		ret = -EFBIG;
	while (!ret && done < (u64)st.st_size) {
		ssize_t n = sendfile(copy, fd, NULL, st.st_size - done);

		ret = n < 0 ? -errno : n ? 0 : -EIO;
		done += max_of(n, (ssize_t)0);
	}
	close(fd);
	if (!ret) {
		*copied = done;
		return copy;
	}
	if (copy >= 0)
		close(copy);
	return ret;
}
