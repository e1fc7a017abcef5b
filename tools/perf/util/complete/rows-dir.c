// SPDX-License-Identifier: GPL-2.0-only
#include "rows-dir.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/log.h"
#include "../base/version.h"
#include "../binary/build-id.h"
#include "../io/private-dir.h"
#include "live-code.h"

#define NAME ".unwind"

struct rows_dir {
	struct unwinder *unwinder;
	struct machine *machine;
	struct binaries *binaries;
	const struct binary_opts *opts;
	int fd;       /* -errno: there is none */
	bool opened, saved;
};

int rows_dir__open(const struct binary_opts *opts, struct error *err)
{
	char parent[PATH_MAX];
	int ret = build_id_cache__dir(opts, parent, sizeof(parent));

	return ret ? error__set(err, ret, "cannot open the build-id cache: %s", strerror(-ret)) :
		     private_dir__open(parent, NAME, err);
}

/* Opened at first use: not every run unwinds. */
static int rows_dir__fd(struct rows_dir *d)
{
	struct error err = {};

	if (!d->opened) {
		d->fd = rows_dir__open(d->opts, &err);
		if (d->fd < 0)
			pr_debug("unwind tables are not kept on disk: %s\n", err.text);
	}
	d->opened = true;
	return d->fd;
}

/* Deleted files will not be used again. */
static bool is_kept(int fd, struct stat *st)
{
	return !fstat(fd, st) && st->st_nlink && (!st->st_uid || st->st_uid == geteuid());
}

static u32 module_id(void *ctx, u32 module, u8 out[UNWIND_ID_MAX])
{
	struct rows_dir *d = ctx;
	const struct dso *dso = module < LIVE_CODE_FIRST ? machine__dso(d->machine, module) : NULL;
	int fd = dso && dso->kind == DSO_USER ? binaries__fd(d->binaries, dso) : -ENOENT;
	struct build_id id;
	struct stat st;

	_Static_assert(BUILD_ID_MAX < FILE_ID_SIZE && FILE_ID_SIZE <= UNWIND_ID_MAX, "both fit");
	if (fd < 0 || !is_kept(fd, &st))
		return 0;
	id = dso->build_id;
	if (!id.size && build_id__read_fd(fd, &id))
		return file_id__make(&st, clock__now(CLOCK_REALTIME), out);
	memcpy(out, id.data, id.size);
	return id.size;
}

static int load(void *ctx, const char *name)
{
	int fd = rows_dir__fd(ctx);

	return fd < 0 ? -ENOENT : private_dir__load(fd, name);
}

static int save(void *ctx, const char *name, const void *data, size_t size)
{
	struct rows_dir *d = ctx;
	int fd = rows_dir__fd(d), ret;

	if (fd < 0)
		return fd;
	ret = private_dir__save(fd, name, data, size);
	d->saved |= !ret;
	return ret;
}

static void failed(void *ctx __unused_arg, bool saving, const char *name, const char *why)
{
	pr_debug(saving ? "cannot keep unwind tables %s: %s\n" : "kept rows %s: %s\n", name, why);
}

struct rows_dir *rows_dir__new(struct unwinder *u, struct machine *machine, struct binaries *b,
			       const struct binary_opts *opts)
{
	struct rows_dir *d = xzalloc(sizeof(*d));

	*d = (struct rows_dir){
		.unwinder = u, .machine = machine, .binaries = b, .opts = opts, .fd = -ENOENT,
	};
	unwinder__keep_rows(u, &(struct unwind_store){
		.id = module_id, .load = load, .save = save, .failed = failed, .ctx = d,
		.maker = perf__build(),
	});
	return d;
}

void rows_dir__save(struct rows_dir *d)
{
	if (!d)
		return;
	unwinder__save_rows(d->unwinder);
	if (d->saved)
		private_dir__prune(d->fd, ROWS_DIR_MAX);
	d->saved = false;
}

void rows_dir__free(struct rows_dir *d)
{
	if (d && d->fd >= 0)
		close(d->fd);
	free(d);
}
