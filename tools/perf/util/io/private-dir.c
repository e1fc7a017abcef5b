// SPDX-License-Identifier: GPL-2.0-only
#include "private-dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "../base/vec.h"
#include "write-all.h"

#define TOUCH_SEC (24 * 3600)  /* how exact the time of last use is */
#define UNFINISHED_SEC 3600    /* older unfinished files were left behind by a killed process */

/* Names of unfinished files begin with this. */
#define UNFINISHED '.'

static bool is_ours(const struct stat *st)
{
	return st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

/* Others may write to a parent, as with a umask of 2; but it must be this user's. */
static int open_dir(int at, const char *name, int flags, bool strict, struct error *err)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
	struct stat st;

	if (fd < 0)
		return error__set(err, -errno, "'%s': %s", name, strerror(errno));
	if (!fstat(fd, &st) && st.st_uid == geteuid() && (!strict || is_ours(&st)))
		return fd;
	close(fd);
	return error__set(err, -EPERM, "'%s' %s", name, st.st_uid == geteuid() ?
			  "can be written to by others" : "belongs to another user");
}

/* Creates directories only in a directory of this user. */
static int make_parent(const char *path, struct error *err)
{
	const char *slash = strrchr(path, '/');
	char *above = !slash ? xstrdup(".") : xasprintf("%.*s", (int)(slash - path) + 1, path);
	int at = open_dir(AT_FDCWD, above, 0, false, err), ret = at;

	free(above);
	if (at < 0)
		return ret;
	ret = mkdirat(at, slash ? slash + 1 : path, 0755) && errno != EEXIST ? -errno : 0;
	close(at);
	return ret ? error__set(err, ret, "cannot make '%s': %s", path, strerror(-ret)) : 0;
}

static int open_parent(const char *path, struct error *err)
{
	int fd = open_dir(AT_FDCWD, path, 0, false, NULL), ret;

	if (fd >= 0)
		return fd;
	ret = fd == -ENOENT ? make_parent(path, err) : 0;
	return ret ? ret : open_dir(AT_FDCWD, path, 0, false, err);
}

int private_dir__open(const char *parent, const char *name, struct error *err)
{
	int at = open_parent(parent, err), fd;

	if (at < 0)
		return at;
	if (mkdirat(at, name, 0700) && errno != EEXIST)
		fd = error__set(err, -errno, "cannot make '%s/%s': %s", parent, name,
				strerror(errno));
	else
		fd = open_dir(at, name, O_NOFOLLOW, true, err);
	close(at);
	return fd;
}

int private_dir__load(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), ret = 0;
	struct stat st;

	if (fd < 0)
		return -errno;
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
	return openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
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
		return -errno;
	ret = write_all(fd, data, size, NULL);
	if (close(fd) && !ret)
		ret = -errno;
	if (!ret && renameat(dir, unfinished, dir, name))
		ret = -errno;
	if (ret)
		unlinkat(dir, unfinished, 0);
	return ret;
}

/* All files, finished or not. */
static int for_each_file(int dir, int (*each)(void *ctx, const char *name, const struct stat *st),
			 void *ctx)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;
	struct dirent *entry;
	struct stat st;
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d) {
		ret = -errno;
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
		unlinkat(u->dir, name, 0);
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
			unlinkat(p->dir, name, 0);
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

int private_dir__remove(int dir, const char *name)
{
	return unlinkat(dir, name, 0) ? -errno : 0;
}
