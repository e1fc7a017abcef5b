// SPDX-License-Identifier: GPL-2.0-only
#include "own-file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../io/broker.h"

int own_file__open(const char *path)
{
	int fd = broker__open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), err;
	struct stat st;

	if (fd < 0)
		return fd;
	err = fstat(fd, &st) ? -errno : 0;
	if (!err && st.st_uid != 0 && st.st_uid != geteuid())
		err = -EPERM;
	if (!err)
		return fd;
	close(fd);
	return err;
}

int own_file__open_beside(const char *recording, const char *path)
{
	const char *slash = recording ? strrchr(recording, '/') : NULL, *last = strrchr(path, '/');
	int dir = slash ? slash + 1 - recording : 0, len;
	char moved[PATH_MAX];

	while (last > path && *--last != '/')
		;
	if (!recording || !last || *last != '/')
		return -ENOENT;
	len = snprintf(moved, sizeof(moved), "%.*s%s", dir, recording, last + 1);
	return len < 0 || (size_t)len >= sizeof(moved) ? -ENOENT : own_file__open(moved);
}
