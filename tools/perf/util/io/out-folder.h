/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A folder that files are written into: opened once, after which its path counts no more, and what
 * happens in it happens by beneath.h.
 *
 * Who works as root in a folder of another user has, while a file is made, renamed or removed
 * there, no more rights than that user: his file system user and group, and no other groups
 * (setfsuid(2)), of this thread only. A new file belongs to root nevertheless: it is given to it
 * before anybody can open it, so that it holds what only root may see, and root can believe it
 * later. (On a file system that lets nobody give files away, NFS as a rule, it stays that user's.)
 */
#ifndef PERF_IO_OUT_FOLDER_H
#define PERF_IO_OUT_FOLDER_H

#include <sys/stat.h>

#include "../../../lib/unwind/core/types.h"

struct out_folder {
	int fd;       /* O_PATH; negative: not open */
	dev_t dev;
	uid_t uid;    /* whose it is */
	gid_t gid;
	bool becomes; /* root in another user's folder */
	bool shared;  /* others can write to it */
	bool tainted; /* on the way to it, another user says where the names lead */
};

/* Returns: whether @uid is root, or the user that this process is. */
bool out_folder__trusts(uid_t uid);

/*
 * Looks at a file or folder, unless a program of another user serves its file system (FUSE): that
 * is not asked, as it may never answer, and what it says would be the word of that user.
 * @fd: of it, opened with O_PATH; AT_FDCWD: the current folder
 * @dev: of a file that was looked at so, such as the folder that it was found in; 0: none
 * Returns: 0, then @st is filled; -EREMOTE: another user's program serves it; another -errno.
 */
int out_folder__look_at(int fd, dev_t dev, struct stat *st);

/*
 * Looks at an open folder.
 * @f: filled
 * @fd: of the folder; @f's from then on
 * @tainted: as in struct out_folder
 * Returns: 0; -errno, then @fd is closed; -EPERM: it is another user's, and root may not become
 *         that user (it takes CAP_SETUID and CAP_SETGID); -EREMOTE: as out_folder__look_at().
 */
int out_folder__take(struct out_folder *f, int fd, bool tainted);

/* Closes it. A struct whose .fd is negative is fine. */
void out_folder__close(struct out_folder *f);

/*
 * Opens a folder in @f, which is made with mode 0700 if it is not there.
 * @name: of it
 * @sub: filled, for out_folder__close(); also on failure
 * Returns: 0; -EPERM: it is neither this user's nor of who owns @f, or others can write to it;
 *         another -errno.
 */
int out_folder__private(const struct out_folder *f, const char *name, struct out_folder *sub);

/*
 * Makes a file.
 * @name: what nothing has in the folder so far
 * @flags: O_RDWR or O_WRONLY
 * @mode: of it; the umask holds
 * Returns: a descriptor, the caller's; -EEXIST: there is something; -EBUSY: in another user's
 *         folder somebody has opened it before it was root's; another -errno.
 */
int out_folder__new(const struct out_folder *f, const char *name, int flags, mode_t mode);

/*
 * The same in place of a file or link of this name, which is removed.
 * @name: of both
 * @flags, @mode: as of out_folder__new()
 * Returns: as out_folder__new(), but for -EEXIST; -EPERM: what is there may not be removed.
 */
int out_folder__instead(const struct out_folder *f, const char *name, int flags, mode_t mode);

/*
 * The same without a name, with mode 0600, for reading and writing.
 * Returns: a descriptor, the caller's; -EOPNOTSUPP, -EISDIR: there are none here; another -errno.
 */
int out_folder__unnamed(const struct out_folder *f);

/*
 * Makes a file with a name of its own, mode 0600, for reading and writing.
 * @prefix: what the name begins with
 * @name: out: it; the caller's, NULL on failure
 * Returns: a descriptor, the caller's, or -errno.
 */
int out_folder__temporary(const struct out_folder *f, const char *prefix, char **name);

/* Looks at what has the @name, which may be a link. Returns as out_folder__look_at(). */
int out_folder__stat(const struct out_folder *f, const char *name, struct stat *st);

/*
 * Opens what has the @name, if it is no link, by @flags; looked at before, unless by O_PATH.
 * Returns: a descriptor, the caller's; or as out_folder__look_at().
 */
int out_folder__open(const struct out_folder *f, const char *name, int flags);

/* Gives the file @from the name @to, in place of what has that. Returns 0 or -errno. */
int out_folder__rename(const struct out_folder *f, const char *from, const char *to);

/* Removes the file or link @name. Returns 0 or -errno. */
int out_folder__remove(const struct out_folder *f, const char *name);

/*
 * Gives a file another name, one that nothing has yet.
 * @fd: the file, which may have no name so far; negative: that of the name @from
 * @to: the name
 * Returns: 0, -EEXIST or another -errno.
 */
int out_folder__link(const struct out_folder *f, int fd, const char *from, const char *to);

/*
 * Returns: the capabilities that it takes to make, rename and remove files here; 0 when none is
 *         needed.
 */
u64 out_folder__privileges(const struct out_folder *f);

#endif
