// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/mem.h"
#include "write-all.h"
#include "tempfile.h"

#define BUF_SIZE (256 * 1024)

const char *tempfile__dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

int tempfile__open(struct tempfile *t, struct error *err)
{
	char *name;

	memset(t, 0, sizeof(*t));
	t->dir = tempfile__dir();
	t->fd = open(t->dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (t->fd < 0) { /* this file system has no unnamed files */
		name = xasprintf("%s/perf-unpacked-XXXXXX", t->dir);
		t->fd = mkostemp(name, O_CLOEXEC);
		if (t->fd >= 0)
			unlink(name);
		free(name);
	}
	if (t->fd < 0) {
		int code = -errno;

		error__set(err, code, "cannot create a temporary file in %s: %s", t->dir,
			   strerror(-code));
		error__hint(err, "Set TMPDIR to a directory in which files can be created.");
		return code;
	}
	t->buf = xmalloc(BUF_SIZE);
	return 0;
}

int tempfile__flush(struct tempfile *t, struct error *err)
{
	u64 done = 0;
	int ret = write_all(t->fd, t->buf, t->used, &done);

	if (ret) {
		t->size -= t->used - done;
		error__set(err, ret, "cannot write a temporary file in %s: %s", t->dir,
			   strerror(-ret));
		if (ret == -ENOSPC)
			error__hint(err, "Set TMPDIR to a directory with more room.");
	}
	t->used = 0;
	return ret;
}

int tempfile__write(struct tempfile *t, const void *data, size_t size, struct error *err)
{
	const u8 *p = data;

	while (size) {
		size_t n = min_of(size, BUF_SIZE - t->used);

		memcpy(t->buf + t->used, p, n);
		t->used += n;
		t->size += n;
		p += n;
		size -= n;
		if (t->used == BUF_SIZE) {
			int ret = tempfile__flush(t, err);

			if (ret)
				return ret;
		}
	}
	return 0;
}

void tempfile__close(struct tempfile *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	zfree(&t->buf);
}
