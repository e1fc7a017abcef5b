// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "broker.h"
#include "mounts.h"
#include "regular-file.h"

#ifndef RESOLVE_CACHED /* Linux 5.12 */
#define RESOLVE_CACHED 0x20
#endif

/* What the kernel knows of the file, without a request to the server of the file system. */
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

/* Opens what the O_PATH descriptor @where has found; -ENOENT: there is no /proc. */
static int open_found(int where, struct mounts *local)
{
	int fd, ret = is_acceptable(where, local);
	char link[64];

	if (ret)
		return ret;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", where);
	fd = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

/*
 * O_PATH first: opening alone of a device or a FIFO that somebody else names could rewind a tape,
 * arm a watchdog or block.
 */
static int open_checked(const char *path, struct mounts *local)
{
	int fd, where = open(path, O_PATH | O_CLOEXEC);

	if (where < 0)
		return -errno;
	fd = open_found(where, local);
	if (fd == -ENOENT) {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd < 0)
			fd = -errno;
	}
	close(where);
	return fd;
}

/* The broker waits no longer than it takes, and copies what is not local. */
static int open_by_broker(const char *path)
{
	struct broker_request r = { .what = BROKER_OPEN_REGULAR };

	return snprintf(r.path, sizeof(r.path), "%s", path) < (int)sizeof(r.path) ?
	       broker__ask(&r, -1, NULL) : -ENAMETOOLONG;
}

int regular_file__open(const char *path)
{
	return broker__is_there() ? open_by_broker(path) : open_checked(path, NULL);
}

int regular_file__open_local(const char *path, struct mounts *mounts)
{
	return broker__is_there() ? open_by_broker(path) : open_checked(path, mounts);
}

int regular_file__open_at_once(const char *path, struct mounts *mounts)
{
	const struct open_how how = {
		.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_CACHED | RESOLVE_NO_MAGICLINKS,
	};
	int fd, where;

	if (broker__is_there())
		return open_by_broker(path);
	where = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
	if (where < 0)
		return errno == ENOENT ? -ENOENT : -EAGAIN;
	fd = open_found(where, mounts);
	close(where);
	return fd == -EREMOTE || fd == -ENOENT ? -EAGAIN : fd;
}

bool regular_file__is_local(int fd, struct mounts *mounts)
{
	struct statx st;

	return !look_at(fd, &st) && mounts__is_local(mounts, st.stx_dev_major, st.stx_dev_minor);
}
