// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mounts.h"
#include "regular-file.h"

/* What the kernel knows of it, without asking whoever serves the file system. */
static int look_at(int fd, struct statx *st)
{
	return statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, st) ? -errno : 0;
}

static int is_acceptable(int where, struct mounts *local)
{
	struct statx st;
	int ret = look_at(where, &st);

	if (ret || !S_ISREG(st.stx_mode))
		return ret ? ret : -EINVAL;
	if (local && !mounts__is_local(local, st.stx_dev_major, st.stx_dev_minor))
		return -EREMOTE;
	return 0;
}

/*
 * O_PATH first: merely to open a device or a FIFO that somebody else names could rewind a tape,
 * arm a watchdog or block.
 */
static int open_checked(const char *path, struct mounts *local)
{
	int fd, ret, where = open(path, O_PATH | O_CLOEXEC);
	char link[64];

	if (where < 0)
		return -errno;
	ret = is_acceptable(where, local);
	if (ret) {
		close(where);
		return ret;
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

int regular_file__open(const char *path)
{
	return open_checked(path, NULL);
}

int regular_file__open_local(const char *path, struct mounts *mounts)
{
	return open_checked(path, mounts);
}

bool regular_file__is_local(int fd, struct mounts *mounts)
{
	struct statx st;

	return !look_at(fd, &st) && mounts__is_local(mounts, st.stx_dev_major, st.stx_dev_minor);
}
