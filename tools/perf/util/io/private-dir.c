// SPDX-License-Identifier: GPL-2.0-only
#include "private-dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "../base/vec.h"
#include "beneath.h"
#include "broker.h"
#include "out-place.h"
#include "write-all.h"

#define TOUCH_SEC (24 * 3600)  /* how exact the time of last use is */
#define UNFINISHED_SEC 3600    /* older unfinished files were left behind by a killed process */

/* Names of unfinished files begin with this. */
#define UNFINISHED '.'

static bool is_ours(const struct stat *st)
{
	return st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

static int not_ours(const char *path, const char *why, struct error *err)
{
	return error__set(err, -EPERM, "'%s' %s", path, why);
}

/* Opens the folder that @path is in. Others may write to it, as with a umask of 2. */
static int find(struct out_place *p, const char *path, struct error *err)
{
	const char *slash = strrchr(path, '/');
	int ret = out_place__find(p, path, NULL);
	char *parent;

	if (!ret && p->folder.uid == geteuid())
		return 0;
	parent = !slash ? xstrdup(".") : xasprintf("%.*s", (int)(slash - path), path);
	if (!ret || ret == -EPERM || ret == -ELOOP)
		ret = not_ours(parent, "belongs to another user", err);
	else
		error__set(err, ret, "'%s': %s", parent, strerror(-ret));
	free(parent);
	return ret;
}

/* Makes directories only in a directory of this user. */
static int make(const struct out_place *p, mode_t mode, struct error *err)
{
	int ret = beneath__mkdir(p->folder.fd, p->name, mode);

	return ret && ret != -EEXIST ? error__set(err, ret, "cannot make '%s': %s", p->path,
						  strerror(-ret)) : 0;
}

static int make_parent(const char *parent, struct error *err)
{
	struct out_place p;
	int ret = find(&p, parent, err) ?: make(&p, 0755, err);

	out_place__close(&p);
	return ret;
}

static int open_ours(const struct out_place *p, struct error *err)
{
	int fd = beneath__open(p->folder.fd, p->name, O_RDONLY | O_DIRECTORY, 0);
	struct stat st;

	if (fd < 0)
		return error__set(err, fd, "'%s': %s", p->path, strerror(-fd));
	if (!fstat(fd, &st) && is_ours(&st))
		return fd;
	close(fd);
	return not_ours(p->path, st.st_uid == geteuid() ? "can be written to by others" :
			"belongs to another user", err);
}

static int open_by_broker(const char *parent, const char *name, struct error *err)
{
	struct broker_request r = { .what = BROKER_PRIVATE_DIR };
	struct broker_answer a = {};
	int fd;

	snprintf(r.path, sizeof(r.path), "%s", parent);
	snprintf(r.name, sizeof(r.name), "%s", name);
	fd = broker__ask(&r, -1, &a);
	return fd < 0 ? error__set(err, fd, "%s", a.words.code ? a.words.text : strerror(-fd)) : fd;
}

int private_dir__open(const char *parent, const char *name, struct error *err)
{
	struct out_place p;
	char *path;
	int ret;

	if (broker__is_there())
		return open_by_broker(parent, name, err);
	path = xasprintf("%s/%s", parent, name);
	ret = find(&p, path, err);
	if (ret == -ENOENT) {
		out_place__close(&p);
		ret = make_parent(parent, err);
		p.folder.fd = -1;
		ret = ret ?: find(&p, path, err);
	}
	ret = ret ?: make(&p, 0700, err) ?: open_ours(&p, err);
	out_place__close(&p);
	free(path);
	return ret;
}

/* A request for something in @dir: @to is a second name, or NULL. */
static int ask_broker(enum broker_what what, int dir, const char *name, int flags, const char *to)
{
	struct broker_request r = { .what = what, .flags = flags };

	snprintf(r.name, sizeof(r.name), "%s", name);
	snprintf(r.path, sizeof(r.path), "%s", to ?: "");
	return broker__ask(&r, dir, NULL);
}

static int open_beneath(int dir, const char *name, int flags)
{
	if (broker__is_there())
		return ask_broker(BROKER_BENEATH, dir, name, flags, NULL);
	return beneath__open(dir, name, flags, 0600);
}

static int rename_beneath(int dir, const char *from, const char *to)
{
	if (broker__is_there())
		return ask_broker(BROKER_RENAME, dir, from, 0, to);
	return beneath__rename(dir, from, to);
}

int private_dir__load(int dir, const char *name)
{
	int fd = open_beneath(dir, name, O_RDONLY | O_NONBLOCK), ret = 0;
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st))
		ret = -errno;
	else if (!S_ISREG(st.st_mode))
		ret = -EINVAL;
	else if (!is_ours(&st))
		ret = -EPERM;
	if (ret) {
		close(fd);
		return ret;
	}
	/*
	 * The time says what is used, whether or not this file system keeps times of access. A
	 * read-only one keeps none.
	 */
	if (st.st_mtime + TOUCH_SEC < time(NULL))
		futimens(fd, NULL);
	return fd;
}

/* A unique name; process ids are unique only within their namespace. */
static int open_unfinished(int dir, char *name, size_t size)
{
	u64 random;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		return -errno;
	snprintf(name, size, "%c%016llx", UNFINISHED, (unsigned long long)random);
	return open_beneath(dir, name, O_WRONLY | O_CREAT | O_EXCL);
}

int private_dir__save(int dir, const char *name, const void *data, size_t size)
{
	struct rlimit limit;
	char unfinished[32];
	int fd, ret;

	/* A larger file would raise SIGXFSZ. */
	if (!getrlimit(RLIMIT_FSIZE, &limit) && size > limit.rlim_cur)
		return -EFBIG;
	fd = open_unfinished(dir, unfinished, sizeof(unfinished));
	if (fd < 0)
		return fd;
	ret = write_all(fd, data, size, NULL);
	if (close(fd) && !ret)
		ret = -errno;
	if (!ret)
		ret = rename_beneath(dir, unfinished, name);
	if (ret)
		private_dir__remove(dir, unfinished);
	return ret;
}

/* All files, finished or not. */
static int for_each_file(int dir, int (*each)(void *ctx, const char *name, const struct stat *st),
			 void *ctx)
{
	int fd = open_beneath(dir, ".", O_RDONLY | O_DIRECTORY), ret = 0;
	struct dirent *entry;
	struct stat st;
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d) {
		ret = fd < 0 ? fd : -errno;
		if (fd >= 0)
			close(fd);
		return ret;
	}
	while (!ret && (entry = readdir(d)))
		if (!fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode))
			ret = each(ctx, entry->d_name, &st);
	closedir(d);
	return ret;
}

struct finished {
	int (*each)(void *ctx, const char *name, const struct stat *st);
	void *ctx;
};

static int on_file(void *ctx, const char *name, const struct stat *st)
{
	struct finished *f = ctx;

	return *name == UNFINISHED ? 0 : f->each(f->ctx, name, st);
}

int private_dir__for_each(int dir, int (*each)(void *ctx, const char *name, const struct stat *st),
			  void *ctx)
{
	struct finished f = { each, ctx };

	return for_each_file(dir, on_file, &f);
}

struct unfinished {
	int dir;
	const char *but;
};

static int remove_unfinished(void *ctx, const char *name, const struct stat *st __unused_arg)
{
	const struct unfinished *u = ctx;

	if (*name == UNFINISHED && strcmp(name, u->but))
		private_dir__remove(u->dir, name);
	return 0;
}

int private_dir__remove_unfinished(int dir, const char *but)
{
	struct unfinished u = { dir, but };

	return for_each_file(dir, remove_unfinished, &u);
}

struct pruned {
	char *name;
	u64 size;
	time_t used;
};

struct prune {
	int dir;
	u64 bytes;
	VEC(struct pruned) files;
};

static int prune__file(void *ctx, const char *name, const struct stat *st)
{
	struct prune *p = ctx;

	if (*name == UNFINISHED) {
		if (st->st_mtime + UNFINISHED_SEC < time(NULL))
			private_dir__remove(p->dir, name);
		return 0;
	}
	*vec__push(&p->files) = (struct pruned){ xstrdup(name), st->st_size, st->st_mtime };
	p->bytes += st->st_size;
	return 0;
}

static int pruned__cmp(const void *a, const void *b)
{
	const struct pruned *x = a, *y = b;

	return compare_of(x->used, y->used);
}

int private_dir__prune(int dir, u64 max)
{
	struct prune p = { .dir = dir };
	int ret = for_each_file(dir, prune__file, &p);

	if (p.bytes > max)
		qsort(p.files.v, p.files.nr, sizeof(*p.files.v), pruned__cmp);
	for (size_t i = 0; i < p.files.nr; i++) {
		if (p.bytes > max) {
			private_dir__remove(dir, p.files.v[i].name);
			p.bytes -= p.files.v[i].size;
		}
		free(p.files.v[i].name);
	}
	vec__free(&p.files);
	return ret;
}

int private_dir__lock(int dir, const char *name)
{
	int fd = open_beneath(dir, name, O_RDWR | O_CREAT), ret;

	if (fd < 0)
		return fd;
	while ((ret = flock(fd, LOCK_EX)) && errno == EINTR)
		;
	if (!ret)
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

int private_dir__rename(int dir, const char *from, const char *to)
{
	return rename_beneath(dir, from, to);
}

int private_dir__remove(int dir, const char *name)
{
	if (broker__is_there())
		return ask_broker(BROKER_REMOVE, dir, name, 0, NULL);
	return beneath__remove(dir, name, 0);
}
