// SPDX-License-Identifier: GPL-2.0-only
#include "out-place.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/mem.h"
#include "path-walk.h"
#include "privileges.h"

#define TRIES 20 /* while somebody exchanges what is there */

static int is_served(const char *path, struct error *err)
{
	error__set(err, -EREMOTE, "cannot open %s for writing: a program of another user serves "
		   "its file system (FUSE), and may never answer", path);
	error__hint(err, "Write to another file system, or run perf as that user.");
	return -EREMOTE;
}

static int explain(const struct path_walk *w, const char *path, int ret, struct error *err)
{
	if (ret == -EREMOTE)
		return is_served(path, err);
	if (ret != -ELOOP || w->links > PATH_WALK_LINKS)
		return error__set(err, ret, "cannot open %s for writing: %s", path, strerror(-ret));
	error__set(err, ret, "cannot open %s for writing: another user can change a link or '..' "
			     "in its path", path);
	error__hint(err, "Name the file that it leads to, or a folder of your own.");
	return ret;
}

static int cannot_become(const struct path_walk *w, const char *path, struct error *err)
{
	error__set(err, -EPERM, "cannot open %s for writing: its folder belongs to user %u, and "
				"root cannot become that user here (CAP_SETUID, CAP_SETGID)", path,
		   (u32)w->st.st_uid);
	error__hint(err, "Write to a folder of root's, or run perf as that user.");
	return -EPERM;
}

/* The rest of a walk, if its begin has not failed with @ret. */
static int finish(struct path_walk *w, struct out_place *p, int ret, struct error *err)
{
	ret = ret ?: path_walk__run(w, &p->name);
	if (ret) {
		ret = explain(w, p->path, ret, err);
	} else {
		ret = out_folder__take(&p->folder, w->fd, w->tainted);
		w->fd = -1;
		if (ret == -EPERM)
			cannot_become(w, p->path, err);
		else if (ret)
			explain(w, p->path, ret, err);
	}
	path_walk__end(w);
	return ret;
}

int out_place__find(struct out_place *p, const char *path, struct error *err)
{
	struct path_walk w;

	*p = (struct out_place){ .folder.fd = -1, .path = path };
	return finish(&w, p, path_walk__begin(&w, path, false), err);
}

static int follow(const struct out_place *p, struct out_place *to, u32 *links, struct error *err)
{
	struct path_walk w = { .links = *links, .tainted = p->folder.tainted };
	int ret = path_walk__follow(&w, &p->folder, p->name);

	*to = (struct out_place){ .folder.fd = -1, .path = p->path };
	*links = w.links;
	return finish(&w, to, ret, err);
}

static int copy(const struct out_place *p, struct out_place *to, struct error *err)
{
	*to = *p;
	to->folder.fd = fcntl(p->folder.fd, F_DUPFD_CLOEXEC, 0);
	to->name = NULL;
	if (to->folder.fd < 0)
		return error__set(err, -errno, "cannot open %s for writing: %s", p->path,
				  strerror(errno));
	to->name = xstrdup(p->name);
	return 0;
}

int out_place__follow(const struct out_place *p, struct out_place *to, struct error *err)
{
	struct out_place next;
	struct stat st;
	u32 links = 0;
	int ret = copy(p, to, err);

	while (!ret && !out_folder__stat(&to->folder, to->name, &st) && S_ISLNK(st.st_mode) &&
	       !path_walk__is_proc(to->folder.fd)) {
		ret = follow(to, &next, &links, err);
		out_place__close(to);
		*to = next;
	}
	return ret;
}

int out_place__stat(const struct out_place *p, struct stat *st, struct error *err)
{
	int ret = out_folder__stat(&p->folder, p->name, st);

	if (ret == -EREMOTE)
		is_served(p->path, err);
	else if (ret && ret != -ENOENT)
		error__set(err, ret, "cannot find %s: %s", p->path, strerror(-ret));
	return ret;
}

/* Whether a file that is there is where the user wants it, and not where others have put it. */
static bool is_own(const struct out_folder *f, const struct stat *st)
{
	return !f->becomes && (!f->shared || (st->st_uid == geteuid() && st->st_nlink == 1));
}

/* Empties the file that @st is of. -EAGAIN: it is another one now. */
static int open_emptied(const struct out_place *p, int flags, const struct stat *st)
{
	int fd = out_folder__open(&p->folder, p->name, flags | O_NONBLOCK), ret = 0;
	struct stat now;

	if (fd < 0)
		return fd == -ENOENT || fd == -ELOOP || fd == -ENOTDIR ? -EAGAIN : fd;
	if (fstat(fd, &now) || now.st_dev != st->st_dev || now.st_ino != st->st_ino ||
	    !S_ISREG(now.st_mode))
		ret = -EAGAIN;
	else if (ftruncate(fd, 0) || fcntl(fd, F_SETFL, 0))
		ret = -errno;
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

/*
 * Looked at before it is opened: that alone can rewind a tape, or tell another user's FIFO what is
 * root's. Without /proc, it is opened by its name.
 */
static int open_node(const struct out_place *p, int flags)
{
	const struct out_folder *f = &p->folder;
	int where = out_folder__open(f, p->name, O_PATH), fd;
	struct stat st;
	char path[32];

	if (where < 0)
		return where;
	fd = out_folder__look_at(where, f->dev, &st);
	if (!fd && (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)))
		fd = -EAGAIN;
	else if (!fd && f->shared && !out_folder__trusts(st.st_uid) &&
		 !(f->becomes && st.st_uid == f->uid))
		fd = -EPERM;
	if (!fd) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", where);
		fd = open(path, flags | O_CLOEXEC);
		fd = fd < 0 ? -errno : fd;
		if (fd == -ENOENT)
			fd = out_folder__open(f, p->name, flags);
	}
	close(where);
	return fd;
}

static int open_magic(const struct out_place *p, int flags)
{
	int fd = p->folder.tainted ? -1 :
		 openat(p->folder.fd, p->name, flags | O_TRUNC | O_CLOEXEC);

	return fd >= 0 ? fd : p->folder.tainted ? -ELOOP : -errno;
}

static int try_open(const struct out_place *p, int flags, mode_t mode)
{
	struct stat st;
	int ret = out_folder__stat(&p->folder, p->name, &st);

	if (ret == -ENOENT)
		ret = out_folder__new(&p->folder, p->name, flags, mode);
	else if (ret)
		return ret;
	else if (S_ISLNK(st.st_mode))
		return path_walk__is_proc(p->folder.fd) ? open_magic(p, flags) : -EAGAIN;
	else if (S_ISDIR(st.st_mode))
		return -EISDIR;
	else if (!S_ISREG(st.st_mode))
		return open_node(p, flags);
	else if (is_own(&p->folder, &st))
		ret = open_emptied(p, flags, &st);
	else
		ret = out_folder__instead(&p->folder, p->name, flags, mode);
	return ret == -EEXIST || ret == -EBUSY ? -EAGAIN : ret;
}

int out_place__open(const struct out_place *p, int flags, mode_t mode, struct error *err)
{
	struct out_place to;
	int fd = -EAGAIN;

	for (u32 i = 0; i < TRIES && fd == -EAGAIN; i++) {
		int ret = out_place__follow(p, &to, err);

		if (!ret)
			fd = try_open(&to, flags, mode);
		out_place__close(&to);
		if (ret)
			return ret;
	}
	if (fd == -EREMOTE)
		is_served(p->path, err);
	else if (fd == -EAGAIN)
		error__set(err, fd, "cannot open %s for writing: another process keeps replacing "
				    "it", p->path);
	else if (fd == -EACCES && p->folder.becomes)
		error__set(err, fd, "cannot open %s for writing: the owner of its folder, user %u, "
			   "may not write there", p->path, (u32)p->folder.uid);
	else if (fd < 0)
		error__set(err, fd, "cannot open %s for writing: %s", p->path, strerror(-fd));
	return fd;
}

int out_place__open_path(const char *path, int flags, mode_t mode, struct error *err)
{
	struct out_place p;
	int fd = out_place__find(&p, path, err);

	if (!fd)
		fd = out_place__open(&p, flags, mode, err);
	out_place__close(&p);
	return fd;
}

int out_place__open_special(const char *path, int flags, struct error *err)
{
	struct out_place p, to = { .folder.fd = -1 };
	int fd = out_place__find(&p, path, err) ?: out_place__follow(&p, &to, err);

	if (!fd) {
		fd = open_node(&to, flags);
		fd = fd == -EAGAIN ? -EINVAL : fd;
		if (fd < 0)
			error__set(err, fd, "cannot open %s: %s", path, fd == -EINVAL ?
				   "it is neither a FIFO nor a device" : strerror(-fd));
	}
	out_place__close(&to);
	out_place__close(&p);
	return fd;
}

void out_place__close(struct out_place *p)
{
	out_folder__close(&p->folder);
	zfree(&p->name);
}

static u64 privileges_at(const struct out_place *p)
{
	u64 set = out_folder__privileges(&p->folder);
	struct stat st;

	if (!out_folder__stat(&p->folder, p->name, &st) && S_ISREG(st.st_mode) &&
	    st.st_uid != geteuid())
		set |= PRIVILEGE(CAP_CHOWN) | PRIVILEGE(CAP_FOWNER);
	return set;
}

u64 out_place__privileges(const char *path)
{
	struct out_place p, to = { .folder.fd = -1 };
	u64 set = 0;

	if (!out_place__find(&p, path, NULL)) {
		set = out_folder__privileges(&p.folder);
		if (!out_place__follow(&p, &to, NULL))
			set |= privileges_at(&to);
	}
	out_place__close(&to);
	out_place__close(&p);
	return set;
}
