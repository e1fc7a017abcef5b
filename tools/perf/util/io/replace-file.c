// SPDX-License-Identifier: GPL-2.0-only
#include "replace-file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/mem.h"
#include "broker.h"

static const struct out_folder *folder(const struct replace_file *f)
{
	return &f->place.folder;
}

static int make_unnamed(const struct replace_file *f)
{
	int fd = out_folder__unnamed(folder(f));
	char path[32];

	if (fd < 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!access(path, F_OK))
		return fd;
	close(fd); /* without /proc it could get no name */
	return -ENOENT;
}

static int make_named(struct replace_file *f)
{
	char *prefix = xasprintf("%s.", f->place.name);
	int fd = out_folder__temporary(folder(f), prefix, &f->temporary);

	free(prefix);
	return fd;
}

static int open_temporary(struct replace_file *f, const struct stat *old, struct error *err)
{
	int fd = make_unnamed(f);

	if (fd < 0)
		fd = make_named(f);
	if (fd < 0)
		return error__set(err, fd, "cannot create a temporary file next to %s: %s",
				  f->name, strerror(-fd));
	f->fd = fd;
	/* Without privilege the file cannot be given away; it then keeps this user as owner. */
	if (old && (fchmod(f->fd, old->st_mode & 0777) ||
		    fchown(f->fd, old->st_uid, old->st_gid)))
		errno = 0;
	return 0;
}

/* Creates another, unused name for @fd, else for what is replaced, beside it; NULL and errno. */
static char *link_beside(const struct replace_file *f, int fd)
{
	for (u32 i = 0;; i++) {
		char *name = xasprintf("%s.%d.%u", f->place.name, getpid(), i);
		int ret = out_folder__link(folder(f), fd, f->place.name, name);

		if (!ret)
			return name;
		free(name);
		errno = -ret;
		if (ret != -EEXIST)
			return NULL;
	}
}

/* Gives the unnamed file a name: rename() needs one to replace the target. */
static int give_name(struct replace_file *f)
{
	if (f->temporary)
		return 0;
	f->temporary = link_beside(f, f->fd);
	return f->temporary ? 0 : -errno;
}

/* For a symbolic link: the file that it points to is replaced, and kept beside that file. */
static char *path_of_old(const struct replace_file *f)
{
	struct stat st;
	char *target = !lstat(f->name, &st) && S_ISLNK(st.st_mode) ? realpath(f->name, NULL) : NULL;
	char *path = xasprintf("%s.old", target ?: f->name);

	free(target);
	return path;
}

/* A second name takes the place of .old, so that the first one is never missing. */
static int keep_old(struct replace_file *f, struct error *err)
{
	char *second = link_beside(f, -1), *old = xasprintf("%s.old", f->place.name);
	int ret = out_folder__rename(folder(f), second ?: f->place.name, old);

	f->old = path_of_old(f);
	if (second)
		out_folder__remove(folder(f), second); /* there if both are one file already */
	free(second);
	free(old);
	if (ret) {
		error__set(err, ret, "cannot rename %s to %s: %s", f->name, f->old, strerror(-ret));
		error__hint(err, "Name another output file with -o.");
		zfree(&f->old);
	}
	return ret;
}

/* Where the file is that is replaced, if it is not written to as it is. */
static int find(struct replace_file *f, bool *direct, struct stat *st, bool *exists,
		struct error *err)
{
	struct out_place named;
	int ret = out_place__find(&named, f->name, err);

	f->place.folder.fd = -1;
	if (!ret)
		ret = out_place__follow(&named, &f->place, err);
	out_place__close(&named);
	f->found = true;
	if (ret)
		return ret;
	ret = out_place__stat(&f->place, st, err);
	*exists = !ret;
	*direct = *exists && !S_ISREG(st->st_mode);
	return ret == -ENOENT ? 0 : ret;
}

/* Nothing but the name is known here of a file that the broker replaces. */
static int ask_broker(const struct replace_file *f, enum broker_what what,
		      struct broker_answer *a, struct error *err)
{
	struct broker_request r = { .what = what, .number = f->keep, .flags = f->program };
	int ret = snprintf(r.path, sizeof(r.path), "%s", f->name) < (int)sizeof(r.path) ?
		  broker__ask(&r, -1, a) : -ENAMETOOLONG;

	if (ret < 0 && a->words.code && err)
		*err = a->words;
	else if (ret < 0)
		error__set(err, ret, "cannot write %s: %s", f->name, strerror(-ret));
	return ret;
}

static int open_by_broker(struct replace_file *f, struct error *err)
{
	struct broker_answer a = {};
	int fd = ask_broker(f, BROKER_REPLACE, &a, err);

	if (fd < 0)
		return fd;
	f->by_broker = true;
	if (a.number)
		f->fd = fd;
	return 0;
}

static int commit_by_broker(struct replace_file *f, u64 *size, struct error *err)
{
	struct broker_answer a = {};
	int ret = ask_broker(f, BROKER_REPLACED, &a, err);

	*size = a.number;
	if (!ret && *a.name)
		f->old = xstrdup(a.name);
	return ret;
}

/* The descriptor that a name stands for; the broker has others of these numbers. */
static int own_descriptor(const char *name)
{
	int fd;
	char c;

	if (!strcmp(name, "-") || !strcmp(name, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!broker__is_there())
		return -1;
	if (!strcmp(name, "/dev/stderr"))
		return STDERR_FILENO;
	return sscanf(name, "/dev/fd/%d%c", &fd, &c) == 1 ||
	       sscanf(name, "/proc/self/fd/%d%c", &fd, &c) == 1 ? fd : -1;
}

int replace_file__open(struct replace_file *f, const char *name, struct error *err)
{
	bool direct, exists;
	struct stat st;
	int ret;

	*f = (struct replace_file){ .name = name, .fd = -1, .own = own_descriptor(name) };
	if (f->own >= 0)
		return 0;
	if (broker__is_there())
		return open_by_broker(f, err);
	ret = find(f, &direct, &st, &exists, err);
	if (ret || direct)
		return ret;
	f->replaces = exists && st.st_size;
	return open_temporary(f, exists ? &st : NULL, err);
}

int replace_file__fd(const struct replace_file *f, struct error *err)
{
	int fd;

	if (f->own < 0 && f->fd < 0 && f->found)
		return out_place__open(&f->place, O_WRONLY, 0600, err);
	if (f->own < 0 && f->fd < 0)
		fd = broker__open(f->name, O_WRONLY);
	else
		fd = fcntl(f->own >= 0 ? f->own : f->fd, F_DUPFD_CLOEXEC, 0);
	if (fd >= 0)
		return fd;
	return error__set(err, fd == -1 ? -errno : fd, "cannot write %s: %s",
			  strcmp(f->name, "-") ? f->name : "to standard output",
			  strerror(fd == -1 ? errno : -fd));
}

/* If nothing is replaced, nothing can be lost, and a new file need not be synchronized. */
static int make_durable(const struct replace_file *f, u64 *size)
{
	struct stat st;

	if (fstat(f->fd, &st) ||
	    (f->program && fchmod(f->fd, (st.st_mode | (st.st_mode & 0444) >> 2) & 0777)) ||
	    (f->replaces && fsync(f->fd)))
		return -errno;
	*size = st.st_size;
	return 0;
}

/* Back to its place, if nothing has taken that. */
static void bring_back_old(struct replace_file *f)
{
	char *old = xasprintf("%s.old", f->place.name);
	struct stat st;

	if (f->old && out_folder__stat(folder(f), f->place.name, &st) == -ENOENT)
		out_folder__rename(folder(f), old, f->place.name);
	free(old);
}

int replace_file__commit(struct replace_file *f, u64 *size, struct error *err)
{
	int ret;

	*size = 0;
	if (f->by_broker)
		return commit_by_broker(f, size, err);
	if (f->fd < 0)
		return 0;
	ret = make_durable(f, size);
	if (!ret)
		ret = give_name(f);
	if (!ret && f->keep && f->replaces) {
		ret = keep_old(f, err);
		if (ret)
			return ret;
	}
	if (!ret) {
		ret = out_folder__rename(folder(f), f->temporary, f->place.name);
		if (ret)
			bring_back_old(f);
	}
	if (ret)
		return error__set(err, ret, "cannot write %s: %s", f->name, strerror(-ret));
	zfree(&f->temporary);
	close(f->fd);
	f->fd = -1;
	return 0;
}

void replace_file__abort(struct replace_file *f)
{
	struct broker_answer a;

	if (!f->found && !f->by_broker)
		return;
	if (f->by_broker)
		ask_broker(f, BROKER_DROP, &a, NULL);
	if (f->temporary)
		out_folder__remove(folder(f), f->temporary);
	if (f->fd >= 0)
		close(f->fd);
	if (f->found)
		out_place__close(&f->place);
	f->fd = -1;
	f->found = f->by_broker = false;
	zfree(&f->temporary);
	zfree(&f->old);
}
