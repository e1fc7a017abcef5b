// SPDX-License-Identifier: GPL-2.0-only
#include "replace-file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/mem.h"

static int open_temporary(struct replace_file *f, const struct stat *old, struct error *err)
{
	int fd;

	f->temporary = xasprintf("%s.XXXXXX", f->target);
	fd = mkostemp(f->temporary, O_CLOEXEC);
	if (fd < 0) {
		zfree(&f->temporary);
		return error__set(err, -errno, "cannot create a file beside %s: %s", f->name,
				  strerror(errno));
	}
	/* Not ours to give away without privilege: then it stays ours. */
	if (old && (fchown(fd, old->st_uid, old->st_gid) || fchmod(fd, old->st_mode & 07777)))
		errno = 0;
	close(fd);
	f->path = f->temporary;
	return 0;
}

int replace_file__open(struct replace_file *f, const char *name, struct error *err)
{
	struct stat st;
	bool exists = !stat(name, &st);

	*f = (struct replace_file){ .path = name, .name = name };
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
	int fd = open(f->temporary, O_RDONLY | O_CLOEXEC), ret = 0;
	struct stat st;

	if (fd < 0)
		return -errno;
	if ((f->replaces && fsync(fd)) || fstat(fd, &st))
		ret = -errno;
	else
		*size = st.st_size;
	close(fd);
	return ret;
}

int replace_file__commit(struct replace_file *f, u64 *size, struct error *err)
{
	int ret;

	*size = 0;
	if (!f->temporary)
		return 0;
	ret = make_durable(f, size);
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
	zfree(&f->temporary);
	zfree(&f->target);
}
