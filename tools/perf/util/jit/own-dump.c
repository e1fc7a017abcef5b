// SPDX-License-Identifier: GPL-2.0-only
#include "own-dump.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../base/log.h"

/* Returns: 0 or -errno. */
static int own_dump__create(const struct own_dumps *o, struct jitdump_out *out,
			    const struct thread *t, char *path)
{
	char name[32];
	int fd, ret;

	snprintf(name, sizeof(name), "jit-%u.dump", t->pid);
	snprintf(path, PATH_MAX, "%s/%s", o->dir->path, name);
	out->pid = t->pid;
	out->fd = jit_dir__create(o->dir, name);
	if (out->fd < 0)
		return out->fd;
	ret = jitdump_out__begin(out, jit_elf__native_machine());
	fd = ret ? -1 : fcntl(out->fd, F_DUPFD_CLOEXEC, 0);
	return ret ?: fd < 0 ? -EMFILE : jit_dumps__add_own(o->dumps, t, path, fd);
}

int own_dump__begin(const struct own_dumps *o, struct jitdump_out *out, const struct thread *t,
		    u64 time)
{
	char path[PATH_MAX];
	int ret = own_dump__create(o, out, t, path);

	if (!ret)
		return o->on_file(o->ctx, t->pid, path, time);
	pr_debug("%s: code of process %u is not written: %s\n", o->dir->path, t->pid,
		 strerror(-ret));
	if (out->fd >= 0)
		close(out->fd);
	out->fd = -1;
	return 0;
}
