// SPDX-License-Identifier: GPL-2.0-only
#include "jit-dir.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int jit_dir__create(const char *dir, const char *path)
{
	struct stat st;
	int fd;

	if ((mkdir(dir, 0700) && errno != EEXIST) || lstat(dir, &st))
		return -errno;
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid())
		return -EPERM;
	unlink(path); /* of an earlier recording */
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	return fd < 0 ? -errno : fd;
}
