// SPDX-License-Identifier: GPL-2.0-only
#include "replace-file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/mem.h"

static int make_unnamed(struct replace_file *f)
{
	char *dir = xstrdup(f->target), *slash = strrchr(dir, '/');
	int fd;

	if (slash)
		slash[1] = '\0';
	fd = open(slash ? dir : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	free(dir);
	if (fd < 0)
		return -1;
	f->unnamed = xasprintf("/proc/self/fd/%d", fd);
	if (access(f->unnamed, W_OK)) { /* no /proc */
		zfree(&f->unnamed);
		close(fd);
		return -1;
	}
	f->path = f->unnamed;
	return fd;
}

static int make_named(struct replace_file *f)
{
	int fd;

	f->temporary = xasprintf("%s.XXXXXX", f->target);
	fd = mkostemp(f->temporary, O_CLOEXEC);
	if (fd < 0)
		zfree(&f->temporary);
	f->path = f->temporary;
	return fd;
}

static int open_temporary(struct replace_file *f, const struct stat *old, struct error *err)
{
	f->fd = make_unnamed(f);
	if (f->fd < 0)
		f->fd = make_named(f);
	if (f->fd < 0)
		return error__set(err, -errno, "cannot create a file beside %s: %s", f->name,
				  strerror(errno));
	/* Not ours to give away without privilege: then it stays ours. */
	if (old && (fchown(f->fd, old->st_uid, old->st_gid) ||
		    fchmod(f->fd, old->st_mode & 07777)))
		errno = 0;
	return 0;
}

/* What has no name gets one beside the target, as only that can take its place. */
static int give_name(struct replace_file *f)
{
	for (u32 i = 0; f->unnamed; i++) {
		f->temporary = xasprintf("%s.%d.%u", f->target, getpid(), i);
		if (!linkat(AT_FDCWD, f->unnamed, AT_FDCWD, f->temporary, AT_SYMLINK_FOLLOW)) {
			zfree(&f->unnamed);
			break;
		}
		zfree(&f->temporary);
		if (errno != EEXIST)
			return -errno;
	}
	return 0;
}

int replace_file__open(struct replace_file *f, const char *name, struct error *err)
{
	struct stat st;
	bool exists = !stat(name, &st);

	*f = (struct replace_file){ .path = name, .name = name, .fd = -1 };
	if (!strcmp(name, "-") || (exists && !S_ISREG(st.st_mode)))
		return 0;
	f->replaces = exists && st.st_size;
	f->target = exists ? realpath(name, NULL) : xstrdup(name);
	if (!f->target)
		return error__set(err, -errno, "cannot find %s: %s", name, strerror(errno));
	return open_temporary(f, exists ? &st : NULL, err);
}

/* Where nothing is replaced, nothing can be lost, and a new file is as durable as any other. */
static int make_durable(const struct replace_file *f, u64 *size)
{
	struct stat st;

	if ((f->replaces && fsync(f->fd)) || fstat(f->fd, &st))
		return -errno;
	*size = st.st_size;
	return 0;
}

int replace_file__commit(struct replace_file *f, u64 *size, struct error *err)
{
	int ret;

	*size = 0;
	if (!f->target)
		return 0;
	ret = make_durable(f, size);
	if (!ret)
		ret = give_name(f);
	if (!ret && rename(f->temporary, f->target))
		ret = -errno;
	if (ret)
		return error__set(err, ret, "cannot write %s: %s", f->name, strerror(-ret));
	zfree(&f->temporary);
	return 0;
}

void replace_file__abort(struct replace_file *f)
{
	if (f->temporary)
		unlink(f->temporary);
	if (f->target && f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	zfree(&f->temporary);
	zfree(&f->unnamed);
	zfree(&f->target);
}
