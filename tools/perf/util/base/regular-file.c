// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "regular-file.h"

/*
 * O_PATH first: merely to open a device or a FIFO that somebody else names could rewind a tape,
 * arm a watchdog or block.
 */
int regular_file__open(const char *path)
{
	char link[64];
	struct stat st;
	int fd, where = open(path, O_PATH | O_CLOEXEC);

	if (where < 0)
		return -errno;
	if (fstat(where, &st) || !S_ISREG(st.st_mode)) {
		close(where);
		return -EINVAL;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", where);
	fd = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && errno == ENOENT) /* without /proc */
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		fd = -errno;
	close(where);
	return fd;
}
