// SPDX-License-Identifier: GPL-2.0-only
#include "beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAKES (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))

bool beneath__is_name(const char *name)
{
	return *name && !strchr(name, '/') && strcmp(name, ".") && strcmp(name, "..");
}

static int open_at_once(int dir, const char *path, int flags, mode_t mode)
{
	const struct open_how how = {
		.flags = flags, .mode = flags & MAKES ? mode : 0,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
	};
	int fd = syscall(SYS_openat2, dir, path, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

/* One part of a path; the folder itself is ".". */
static int open_part(int dir, const char *part, int flags, mode_t mode)
{
	int fd;

	if (!strcmp(part, ".."))
		return -EXDEV;
	fd = openat(dir, part, flags | O_NOFOLLOW, mode);
	return fd < 0 ? -errno : fd;
}

/* O_PATH with O_NOFOLLOW opens a link itself: as a folder it is none. */
static int open_by_parts(int dir, const char *path, int flags, mode_t mode)
{
	int at = dir, next;
	char part[NAME_MAX + 1];

	if (*path == '/')
		return -EXDEV;
	for (;;) {
		size_t n = strcspn(path, "/"), slashes = strspn(path + n, "/");
		bool last = !path[n + slashes];

		if (n > NAME_MAX)
			next = -ENAMETOOLONG;
		else if (snprintf(part, sizeof(part), "%.*s", (int)n, path), last)
			next = open_part(at, part, flags | (slashes ? O_DIRECTORY : 0), mode);
		else
			next = open_part(at, part, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
		if (at != dir)
			close(at);
		if (next < 0 || last)
			return next;
		at = next;
		path += n + slashes;
	}
}

static int refuse_link(int fd)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || !S_ISLNK(st.st_mode))
		return fd;
	close(fd);
	return -ELOOP;
}

int beneath__open(int dir, const char *path, int flags, mode_t mode)
{
	int fd;

	flags |= O_CLOEXEC;
	fd = open_at_once(dir, path, flags, mode);
	/* EPERM: what filters calls has not heard of this one; else it is EPERM once more. */
	if (fd == -ENOSYS || fd == -EPERM)
		fd = refuse_link(open_by_parts(dir, path, flags, mode));
	return fd;
}

static int result(int ret)
{
	return ret ? -errno : 0;
}

int beneath__mkdir(int dir, const char *name, mode_t mode)
{
	return beneath__is_name(name) ? result(mkdirat(dir, name, mode)) : -EINVAL;
}

int beneath__remove(int dir, const char *name, int flags)
{
	return beneath__is_name(name) ? result(unlinkat(dir, name, flags)) : -EINVAL;
}

int beneath__rename(int dir, const char *from, const char *to)
{
	return beneath__is_name(from) && beneath__is_name(to) ?
	       result(renameat(dir, from, dir, to)) : -EINVAL;
}

int beneath__symlink(int dir, const char *target, const char *name)
{
	return beneath__is_name(name) ? result(symlinkat(target, dir, name)) : -EINVAL;
}

int beneath__link(int dir, const char *from, const char *to)
{
	return beneath__is_name(from) && beneath__is_name(to) ?
	       result(linkat(dir, from, dir, to, 0)) : -EINVAL;
}

int beneath__link_fd(int dir, int fd, const char *to)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return beneath__is_name(to) ?
	       result(linkat(AT_FDCWD, path, dir, to, AT_SYMLINK_FOLLOW)) : -EINVAL;
}
