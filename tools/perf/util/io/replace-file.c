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
		return error__set(err, -errno, "cannot create a temporary file next to %s: "
				  "%s", f->name,
				  strerror(errno));
	/* Without privilege the file cannot be given away; it then keeps this user as owner. */
	if (old && (fchown(f->fd, old->st_uid, old->st_gid) ||
		    fchmod(f->fd, old->st_mode & 07777)))
		errno = 0;
	return 0;
}

/* Creates another, unused name for @path in the directory of the target; NULL and errno. */
static char *link_beside(const struct replace_file *f, const char *path)
{
	for (u32 i = 0;; i++) {
		char *name = xasprintf("%s.%d.%u", f->target, getpid(), i);

		if (!linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW))
			return name;
		free(name);
		if (errno != EEXIST)
			return NULL;
	}
}

/* Gives the unnamed file a name: rename() needs one to replace the target. */
static int give_name(struct replace_file *f)
{
	if (!f->unnamed)
		return 0;
	f->temporary = link_beside(f, f->unnamed);
	if (!f->temporary)
		return -errno;
	zfree(&f->unnamed);
	return 0;
}

/* For a symbolic link: the file that it points to is replaced, and kept beside that file. */
static char *name_of_old(const struct replace_file *f)
{
	struct stat st;
	bool link = !lstat(f->name, &st) && S_ISLNK(st.st_mode);

	return xasprintf("%s.old", link ? f->target : f->name);
}

/* A second name takes the place of .old, so that the first one is never missing. */
static int keep_old(struct replace_file *f, struct error *err)
{
	char *second = link_beside(f, f->target);
	int ret = 0;

	f->old = name_of_old(f);
	if (rename(second ?: f->target, f->old))
		ret = -errno;
	if (second)
		unlink(second); /* still there where both are the same file already */
	free(second);
	if (ret) {
		error__set(err, ret, "cannot rename %s to %s: %s", f->name, f->old, strerror(-ret));
		error__hint(err, "Name another output file with -o.");
		zfree(&f->old);
	}
	return ret;
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

/* If nothing is replaced, nothing can be lost, and a new file need not be synchronized. */
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
	if (!ret && f->keep && f->replaces && keep_old(f, err))
		return err->code;
	if (!ret && rename(f->temporary, f->target)) {
		ret = -errno;
		if (f->old && access(f->target, F_OK))
			rename(f->old, f->target);
	}
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
	zfree(&f->old);
}
