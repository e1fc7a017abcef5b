// SPDX-License-Identifier: GPL-2.0-only
#include "path-walk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "../base/mem.h"
#include "beneath.h"

bool path_walk__is_proc(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/* The next folder of the way; closes the one before. */
static int way__enter(struct path_walk *w, int fd)
{
	int ret;

	if (fd < 0)
		return -errno;
	if (w->fd >= 0)
		close(w->fd);
	w->fd = fd;
	ret = out_folder__look_at(fd, w->st.st_dev, &w->st);
	if (ret)
		return ret;
	w->tainted |= !out_folder__trusts(w->st.st_uid);
	return 0;
}

static int way__enter_path(struct path_walk *w, const char *path)
{
	return way__enter(w, open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/* Whether a link in the present folder is nobody else's; to read, as with protected_symlinks(5). */
static bool may_follow(const struct path_walk *w, uid_t owner)
{
	const mode_t everybodys = S_ISVTX | S_IWOTH;

	if (w->reads)
		return (w->st.st_mode & everybodys) != everybodys || owner == geteuid() ||
		       owner == w->st.st_uid;
	return !w->tainted && (out_folder__trusts(owner) ||
			       !(w->st.st_mode & (S_IWGRP | S_IWOTH)));
}

/* The text of a link goes in front of what is left. */
static int way__link(struct path_walk *w, const char *part)
{
	int fd = openat(w->fd, part, O_PATH | O_NOFOLLOW | O_CLOEXEC), ret;
	char text[PATH_MAX], *left;
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return -errno;
	ret = out_folder__look_at(fd, w->st.st_dev, &st);
	if (!ret && !S_ISLNK(st.st_mode))
		ret = -ENOTDIR;
	else if (!ret && !may_follow(w, st.st_uid))
		ret = w->reads ? -EACCES : -ELOOP;
	else if (!ret && ++w->links > PATH_WALK_LINKS)
		ret = -ELOOP;
	n = ret ? 0 : readlinkat(fd, "", text, sizeof(text));
	close(fd);
	if (ret || n < 0 || n == sizeof(text))
		return ret ?: n < 0 ? -errno : -ENAMETOOLONG;
	left = xasprintf("%.*s/%s", (int)n, text, w->left);
	if (!*w->left)
		left[n] = '\0';
	free(w->left);
	w->left = left;
	return *left == '/' ? way__enter_path(w, "/") : 0;
}

/* Out of a folder of another user it leads only into one of the same: they can be moved. */
static int way__up(struct path_walk *w)
{
	uid_t owner = w->st.st_uid;
	int fd = openat(w->fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool tainted = w->tainted;
	int ret = way__enter(w, fd);

	return !ret && tainted && !w->reads && w->st.st_uid != owner ? -ELOOP : ret;
}

static int way__step(struct path_walk *w, const char *part)
{
	int fd, flags;

	if (!strcmp(part, ".."))
		return way__up(w);
	/* Links of processes in /proc have no text to follow; nobody else makes any. */
	flags = may_follow(w, 0) && path_walk__is_proc(w->fd) ? 0 : O_NOFOLLOW;
	fd = openat(w->fd, part, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);
	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
		return way__link(w, part);
	return way__enter(w, fd);
}

/* Takes the next part from what is left. Returns 0; 1: it is the last one; or -errno. */
static int way__part(struct path_walk *w, char part[NAME_MAX + 1])
{
	char *begin = w->left + strspn(w->left, "/"), *end = strchrnul(begin, '/');
	bool last = !*end;

	if (end - begin > NAME_MAX)
		return -ENAMETOOLONG;
	snprintf(part, NAME_MAX + 1, "%.*s", (int)(end - begin), begin);
	memmove(w->left, end, strlen(end) + 1);
	return last;
}

int path_walk__run(struct path_walk *w, char **name)
{
	char part[NAME_MAX + 1];
	int ret;

	while (!(ret = way__part(w, part))) {
		ret = way__step(w, part);
		if (ret)
			return ret;
	}
	if (ret < 0)
		return ret;
	if (!beneath__is_name(part))
		return -EISDIR; /* "", "." and ".." */
	*name = xstrdup(part);
	return 0;
}

int path_walk__begin(struct path_walk *w, const char *path, bool reads)
{
	int ret = 0;

	*w = (struct path_walk){ .fd = -1, .reads = reads, .left = xstrdup(path) };
	if (!*path)
		return -ENOENT;
	if (stat("/", &w->st)) /* in which all is trusted */
		return -errno;
	if (*path == '/')
		return way__enter_path(w, "/");
	/* Even to open "." is asked for permission. */
	ret = out_folder__look_at(AT_FDCWD, w->st.st_dev, &w->st);
	return ret ? ret : way__enter_path(w, ".");
}

int path_walk__follow(struct path_walk *w, const struct out_folder *folder, const char *name)
{
	w->fd = -1;
	w->left = xstrdup("");
	w->st.st_dev = folder->dev;
	return way__enter(w, fcntl(folder->fd, F_DUPFD_CLOEXEC, 0)) ?: way__link(w, name);
}

void path_walk__end(struct path_walk *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
	zfree(&w->left);
}

/* The last part may be anything. 1: it was a link, and what is left is where that leads. */
static int way__last(struct path_walk *w, const char *part)
{
	bool magic = path_walk__is_proc(w->fd);
	int ret, fd = openat(w->fd, part, O_PATH | O_CLOEXEC | (magic ? 0 : O_NOFOLLOW));
	struct stat st;

	if (fd < 0)
		return -errno;
	ret = out_folder__look_at(fd, w->st.st_dev, &st);
	if (!ret && S_ISLNK(st.st_mode)) {
		close(fd);
		return way__link(w, part) ?: 1;
	}
	close(w->fd);
	w->fd = fd;
	return ret;
}

static int way__to_end(struct path_walk *w)
{
	char part[NAME_MAX + 1];
	int ret = 1;

	while (ret == 1) {
		ret = way__part(w, part);
		if (ret == 1)
			ret = *part ? way__last(w, part) : 0;
		else if (!ret)
			ret = way__step(w, part) ?: 1;
	}
	return ret;
}

int path_walk__open(const char *path, int flags)
{
	struct path_walk w;
	int ret = path_walk__begin(&w, path, true) ?: way__to_end(&w);
	char link[32];

	flags &= ~(O_ACCMODE | O_CREAT | O_TRUNC);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", w.fd);
	if (!ret) {
		ret = open(link, O_RDONLY | O_CLOEXEC | flags);
		if (ret < 0 && errno == ENOENT) /* there is no /proc */
			ret = open(path, O_RDONLY | O_CLOEXEC | flags);
		ret = ret < 0 ? -errno : ret;
	}
	path_walk__end(&w);
	return ret;
}
