// SPDX-License-Identifier: GPL-2.0-only
#include "named-file.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "broker.h"
#include "path-walk.h"
#include "regular-file.h"

int named_file__open(const char *path, int flags)
{
	return broker__is_there() ? broker__open(path, flags) : path_walk__open(path, flags);
}

int named_file__open_regular(const char *path)
{
	struct stat st;
	int ret = named_file__stat(path, &st);

	return ret == -EREMOTE ? ret : regular_file__open(path);
}

int named_file__stat(const char *path, struct stat *st)
{
	int fd = named_file__open(path, O_PATH), ret;

	if (fd < 0)
		return fd;
	ret = fstat(fd, st) ? -errno : 0;
	close(fd);
	return ret;
}

int named_file__failed(const char *path, int code, struct error *err)
{
	if (code != -EREMOTE)
		return error__set(err, code, "cannot open %s: %s", path, strerror(-code));
	error__set(err, code, "cannot open %s: a program of another user serves its file system "
		   "(FUSE), and may never answer", path);
	error__hint(err, "Copy it to another file system first.");
	return code;
}
