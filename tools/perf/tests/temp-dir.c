// SPDX-License-Identifier: GPL-2.0-only
#include "temp-dir.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../util/base/mem.h"
#include "../../lib/unwind/core/types.h"

char *temp_dir__make(void)
{
	const char *tmp = getenv("TMPDIR");
	char *path = xasprintf("%s/perf-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");

	if (mkdtemp(path))
		return path;
	free(path);
	return NULL;
}

static int remove_entry(const char *path, const struct stat *st __unused_arg, int type __unused_arg,
			struct FTW *ftw __unused_arg)
{
	remove(path);
	return 0;
}

void temp_dir__remove(const char *path)
{
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* A signal that ends all the others must not end this one, which has to wait for them. */
_Noreturn static void keep(const char *path, int end)
{
	char none;

	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	while (read(end, &none, 1) < 0 && errno == EINTR)
		;
	temp_dir__remove(path);
	_exit(0);
}

int shared_dir__make(struct shared_dir *d)
{
	int ends[2];

	*d = (struct shared_dir){ .path = temp_dir__make() };
	if (!d->path || pipe2(ends, O_CLOEXEC)) {
		int ret = -errno;

		if (d->path)
			temp_dir__remove(d->path);
		zfree(&d->path);
		return ret;
	}
	d->alive = ends[1];
	d->keeper = fork();
	if (!d->keeper) {
		close(ends[1]);
		keep(d->path, ends[0]);
	}
	close(ends[0]);
	if (d->keeper < 0) {
		int ret = -errno;

		shared_dir__close(d);
		return ret;
	}
	return 0;
}

void shared_dir__close(struct shared_dir *d)
{
	close(d->alive);
	if (d->keeper > 0)
		waitpid(d->keeper, NULL, 0);
	else
		temp_dir__remove(d->path);
	zfree(&d->path);
}
