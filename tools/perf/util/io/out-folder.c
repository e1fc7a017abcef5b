// SPDX-License-Identifier: GPL-2.0-only
#include "out-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../base/log.h"
#include "../base/mem.h"
#include "beneath.h"
#include "mounts.h"
#include "privileges.h"

#define NOBODY 65534 /* what files of users have that a user namespace does not know */
#define TRIES 100    /* to take a name that somebody else takes again and again */

/* What a thread was before it became another user for the file system. */
struct before {
	bool became;
	uid_t uid;
	gid_t gid;
	int nr, dumpable;
	gid_t *groups;
};

/* Not those of the C library, which change all threads. */
static int set_groups(int nr, const gid_t *groups)
{
#ifdef SYS_setgroups32
	return syscall(SYS_setgroups32, nr, groups);
#else
	return syscall(SYS_setgroups, nr, groups);
#endif
}

static int become_group(const struct out_folder *f)
{
	setfsgid(f->gid);
	return (gid_t)setfsgid(-1) == f->gid ? 0 : -EPERM;
}

static int become_user(const struct out_folder *f)
{
	setfsuid(f->uid);
	return (uid_t)setfsuid(-1) == f->uid ? 0 : -EPERM;
}

/* Nothing of this can fail that was possible a moment ago. */
static void leave(struct before *b)
{
	if (!b->became)
		return;
	setfsuid(b->uid);
	setfsgid(b->gid);
	BUG_ON((uid_t)setfsuid(-1) != b->uid || (gid_t)setfsgid(-1) != b->gid);
	BUG_ON(set_groups(b->nr, b->groups));
	free(b->groups);
	/* Who changes users can no longer be looked at by the old one, which is the same here. */
	if (b->dumpable == 1)
		prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

static int enter(const struct out_folder *f, struct before *b)
{
	int ret;

	*b = (struct before){ .became = f->becomes };
	if (!f->becomes)
		return 0;
	b->nr = getgroups(0, NULL);
	b->groups = xcalloc(max_of(b->nr, 1), sizeof(gid_t));
	b->nr = getgroups(b->nr, b->groups);
	b->dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
	b->uid = setfsuid(-1);
	b->gid = setfsgid(-1);
	if (b->nr < 0 || set_groups(0, NULL)) {
		free(b->groups);
		return -EPERM;
	}
	ret = become_group(f) ?: become_user(f);
	if (ret)
		leave(b);
	return ret;
}

bool out_folder__trusts(uid_t uid)
{
	struct stat root;

	/* In a user namespace the machine's root has no number, and still says where "/" leads. */
	return !uid || uid == geteuid() ||
	       (uid == NOBODY && !stat("/", &root) && root.st_uid == uid);
}

int out_folder__look_at(int fd, dev_t dev, struct stat *st)
{
	struct statx s;
	uid_t uid;

	/* Linux before 4.11 has no such call. */
	if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &s)) {
		if (errno != ENOSYS)
			return -errno;
	} else if (makedev(s.stx_dev_major, s.stx_dev_minor) != dev &&
		   mounts__server(s.stx_dev_major, s.stx_dev_minor, &uid) &&
		   !out_folder__trusts(uid)) {
		return -EREMOTE;
	}
	return fstatat(fd, "", st, AT_EMPTY_PATH) ? -errno : 0;
}

int out_folder__take(struct out_folder *f, int fd, bool tainted)
{
	struct before b;
	struct stat st;
	int ret;

	*f = (struct out_folder){ .fd = -1 };
	ret = out_folder__look_at(fd, 0, &st);
	if (!ret && !S_ISDIR(st.st_mode))
		ret = -ENOTDIR;
	if (!ret) {
		*f = (struct out_folder){
			.fd = fd, .dev = st.st_dev,
			.uid = st.st_uid, .gid = st.st_gid, .tainted = tainted,
			.becomes = !geteuid() && !out_folder__trusts(st.st_uid),
			.shared = st.st_mode & (S_IWGRP | S_IWOTH) ||
				  !out_folder__trusts(st.st_uid),
		};
		ret = enter(f, &b);
	}
	if (!ret) {
		leave(&b);
		return 0;
	}
	close(fd);
	f->fd = -1;
	return ret;
}

void out_folder__close(struct out_folder *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

int out_folder__private(const struct out_folder *f, const char *name, struct out_folder *sub)
{
	struct before b;
	int ret = enter(f, &b), fd;
	struct stat st;

	sub->fd = -1;
	if (ret)
		return ret;
	ret = beneath__mkdir(f->fd, name, 0700);
	fd = !ret || ret == -EEXIST ? beneath__open(f->fd, name, O_PATH | O_DIRECTORY, 0) : ret;
	leave(&b);
	if (fd < 0)
		return fd;
	ret = out_folder__look_at(fd, f->dev, &st);
	if (!ret && ((st.st_uid != geteuid() && (!f->becomes || st.st_uid != f->uid)) ||
		     st.st_mode & (S_IWGRP | S_IWOTH)))
		ret = -EPERM;
	if (!ret)
		return out_folder__take(sub, fd, f->tainted || f->becomes);
	close(fd);
	return ret;
}

static mode_t without_umask(mode_t mode)
{
	mode_t mask = umask(077); /* meanwhile other threads give less, not more */

	umask(mask);
	return mode & ~mask;
}

/*
 * Gives a new file, which so far nobody may open, to root. A lease for writing is granted where
 * nobody else has it open: with a name, and as long as it was another user's, he could change its
 * mode. (One whose open() is under way is not seen.)
 */
static int give(const struct out_folder *f, int fd, mode_t mode)
{
	struct before b;
	int ret = 0;

	mode = without_umask(mode);
	if (!fchown(fd, geteuid(), getegid())) {
		/* Who opens it at this moment causes a signal: one that does nothing. */
		(void)fcntl(fd, F_SETSIG, SIGURG);
		if (!fcntl(fd, F_SETLEASE, F_WRLCK))
			fcntl(fd, F_SETLEASE, F_UNLCK);
		else if (errno == EAGAIN && !fchown(fd, f->uid, f->gid))
			return -EBUSY; /* and not root's, as he could write what root believes */
		return fchmod(fd, mode) ? -errno : 0;
	}
	ret = enter(f, &b);
	if (ret)
		return ret;
	ret = fchmod(fd, mode) ? -errno : 0;
	leave(&b);
	return ret;
}

/* @name: "." with O_TMPFILE in @flags */
static int make(const struct out_folder *f, const char *name, int flags, mode_t mode)
{
	struct before b;
	int fd, ret = enter(f, &b);

	if (ret)
		return ret;
	fd = beneath__open(f->fd, name, flags, f->becomes ? 0 : mode);
	leave(&b);
	if (fd < 0 || !f->becomes)
		return fd;
	ret = give(f, fd, mode);
	if (!ret)
		return fd;
	close(fd);
	if (!(flags & O_DIRECTORY))
		out_folder__remove(f, name);
	return ret;
}

/* It gets its name when it is root's: before, nobody can open it. */
static int make_and_link(const struct out_folder *f, const char *name, int flags, mode_t mode)
{
	int fd = make(f, ".", O_TMPFILE | flags, mode), ret;

	if (fd < 0)
		return fd;
	ret = out_folder__link(f, fd, NULL, name);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

int out_folder__new(const struct out_folder *f, const char *name, int flags, mode_t mode)
{
	int fd = -EOPNOTSUPP;

	if (!beneath__is_name(name))
		return -EINVAL;
	if (f->becomes)
		fd = make_and_link(f, name, flags, mode);
	/* Not every file system has files without names; nor is there a /proc everywhere. */
	if (fd >= 0 || fd == -EEXIST || fd == -EACCES)
		return fd;
	return make(f, name, flags | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
}

int out_folder__instead(const struct out_folder *f, const char *name, int flags, mode_t mode)
{
	int fd = -EEXIST, ret = 0;

	for (u32 i = 0; i < TRIES && fd == -EEXIST && !ret; i++) {
		fd = out_folder__new(f, name, flags, mode);
		if (fd == -EEXIST)
			ret = out_folder__remove(f, name);
		if (ret == -ENOENT) /* somebody else has removed it */
			ret = 0;
	}
	return ret ? ret : fd;
}

int out_folder__unnamed(const struct out_folder *f)
{
	return make(f, ".", O_TMPFILE | O_RDWR, 0600);
}

int out_folder__temporary(const struct out_folder *f, const char *prefix, char **name)
{
	int fd = -EEXIST;
	u64 random;

	*name = NULL;
	for (u32 i = 0; i < TRIES && fd == -EEXIST; i++) {
		free(*name);
		*name = NULL;
		if (getrandom(&random, sizeof(random), 0) != sizeof(random))
			return -errno;
		*name = xasprintf("%s%012llx", prefix, (unsigned long long)random >> 16);
		fd = out_folder__new(f, *name, O_RDWR, 0600);
	}
	if (fd < 0)
		zfree(name);
	return fd;
}

int out_folder__stat(const struct out_folder *f, const char *name, struct stat *st)
{
	int fd, ret;

	if (!beneath__is_name(name))
		return -EINVAL;
	fd = openat(f->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = out_folder__look_at(fd, f->dev, st);
	close(fd);
	return ret;
}

/* Another file system may have been mounted there: @where is looked at, opened, and closed. */
static int open_found(const struct out_folder *f, int where, const char *name, int flags)
{
	struct stat st;
	char path[32];
	int fd, ret = out_folder__look_at(where, f->dev, &st);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", where);
	fd = ret ? ret : open(path, flags | O_CLOEXEC);
	if (fd < 0 && !ret) /* there may be no /proc */
		fd = errno == ENOENT ? beneath__open(f->fd, name, flags, 0) : -errno;
	close(where);
	return fd;
}

int out_folder__open(const struct out_folder *f, const char *name, int flags)
{
	struct before b;
	int ret = enter(f, &b), fd;

	if (ret)
		return ret;
	fd = beneath__open(f->fd, name, O_PATH, 0);
	if (fd >= 0 && !(flags & O_PATH))
		fd = open_found(f, fd, name, flags);
	leave(&b);
	return fd;
}

int out_folder__rename(const struct out_folder *f, const char *from, const char *to)
{
	struct before b;
	int ret = enter(f, &b);

	if (ret)
		return ret;
	ret = beneath__rename(f->fd, from, to);
	leave(&b);
	return ret;
}

int out_folder__remove(const struct out_folder *f, const char *name)
{
	struct before b;
	int ret = enter(f, &b);

	if (ret)
		return ret;
	ret = beneath__remove(f->fd, name, 0);
	leave(&b);
	return ret;
}

int out_folder__link(const struct out_folder *f, int fd, const char *from, const char *to)
{
	struct before b;
	int ret = enter(f, &b);

	if (ret)
		return ret;
	/* The file is root's already, which fs.protected_hardlinks would object to. */
	if (f->becomes)
		privileges__raise(PRIVILEGE(CAP_FOWNER));
	ret = fd >= 0 ? beneath__link_fd(f->fd, fd, to) : beneath__link(f->fd, from, to);
	leave(&b);
	return ret;
}

u64 out_folder__privileges(const struct out_folder *f)
{
	const u64 make = PRIVILEGE(CAP_DAC_OVERRIDE) | PRIVILEGE(CAP_FOWNER);

	if (f->becomes)
		return PRIVILEGE(CAP_SETUID) | PRIVILEGE(CAP_SETGID) | PRIVILEGE(CAP_CHOWN) |
		       PRIVILEGE(CAP_FOWNER);
	return privileges__can_write_without(make, f->fd) ? 0 : make;
}
