// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/mem.h"
#include "broker.h"
#include "out-place.h"
#include "secure-env.h"
#include "write-all.h"
#include "tempfile.h"

#define BUF_SIZE (256 * 1024)

const char *tempfile__dir(void)
{
	const char *dir = secure_env__get("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

static int open_in(const char *dir)
{
	const struct broker_request r = { .what = BROKER_TEMPORARY };
	char *path, *name = NULL;
	struct out_place place;
	int fd;

	if (broker__is_there())
		return broker__ask(&r, -1, NULL);
	path = xasprintf("%s/x", dir);
	fd = out_place__find(&place, path, NULL);
	if (!fd)
		fd = out_folder__unnamed(&place.folder);
	if (fd < 0 && place.name) { /* this file system has no unnamed files */
		fd = out_folder__temporary(&place.folder, "perf-unpacked-", &name);
		if (fd >= 0)
			out_folder__remove(&place.folder, name);
		free(name);
	}
	out_place__close(&place);
	free(path);
	return fd;
}

int tempfile__open(struct tempfile *t, struct error *err)
{
	memset(t, 0, sizeof(*t));
	t->dir = tempfile__dir();
	t->fd = open_in(t->dir);
	if (t->fd < 0) {
		int code = t->fd;

		error__set(err, code, "cannot create a temporary file in %s: %s", t->dir,
			   strerror(-code));
		error__hint(err, "Set TMPDIR to a directory that is writable.");
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
			error__hint(err, "Set TMPDIR to a directory with more space.");
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
