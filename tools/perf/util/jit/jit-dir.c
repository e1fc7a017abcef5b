// SPDX-License-Identifier: GPL-2.0-only
#include "jit-dir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "../base/mem.h"

void jit_dir__init(struct jit_dir *d, const struct out_place *output)
{
	char cwd[PATH_MAX];

	*d = (struct jit_dir){ .parent = &output->folder, .folder.fd = -1 };
	d->name = xasprintf("%s.jit", output->name);
	if (output->path[0] == '/' || !getcwd(cwd, sizeof(cwd)))
		d->path = xasprintf("%s.jit", output->path);
	else
		d->path = xasprintf("%s/%s.jit", cwd, output->path);
}

void jit_dir__close(struct jit_dir *d)
{
	if (d->path)
		out_folder__close(&d->folder);
	zfree(&d->path);
	zfree(&d->name);
}

static int open_folder(struct jit_dir *d)
{
	int ret = d->folder.fd < 0 ? out_folder__private(d->parent, d->name, &d->folder) : 0;

	/* A link, a file, or a file system that somebody else serves. */
	return ret == -ELOOP || ret == -ENOTDIR || ret == -EREMOTE ? -EPERM : ret;
}

int jit_dir__create(struct jit_dir *d, const char *name)
{
	int fd = -ENOENT;

	for (u32 i = 0; i < 2 && fd == -ENOENT; i++) {
		fd = open_folder(d);
		if (fd)
			return fd;
		fd = out_folder__instead(&d->folder, name, O_RDWR, 0600);
		if (fd == -ENOENT) /* the folder was removed: it is made once more */
			out_folder__close(&d->folder);
	}
	return fd;
}
