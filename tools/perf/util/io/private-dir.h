/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory for files that are to be trusted later, since nobody but this user can have written
 * them.
 *
 * The directory, its parent and the files must belong to the effective user; directory and files
 * must not be writable by others, nor be symbolic links. Everything else is refused, so that root
 * with another user's HOME neither trusts that user nor leaves files there. A file never changes:
 * it is written under another name, and replaces the old one as a whole or not at all. Writers need
 * no lock; if two write the same file at a time, the later one wins.
 */
#ifndef PERF_IO_PRIVATE_DIR_H
#define PERF_IO_PRIVATE_DIR_H

#include <sys/stat.h>

#include "../base/error.h"

/*
 * Opens a directory. Makes it when it does not exist, and its parent, too, when the directory
 * that the parent is in belongs to this user.
 * @parent: a path
 * @name: the name of the directory in it
 * Returns: a descriptor, the caller's; or -errno, and @err says why.
 */
int private_dir__open(const char *parent, const char *name, struct error *err);

/*
 * Opens a file for reading.
 * @dir: what private_dir__open() has returned
 * @name: of the file
 * Returns: a descriptor, the caller's; -EPERM for what another user may have written; another
 *         -errno.
 */
int private_dir__load(int dir, const char *name);

/*
 * Writes a file, in place of what had its name.
 * @dir: what private_dir__open() has returned
 * @name: of the file
 * @data, @size: its contents, in bytes
 * Returns: 0 or -errno; on failure nothing is replaced.
 */
int private_dir__save(int dir, const char *name, const void *data, size_t size);

/*
 * Visits the finished files.
 * @dir: what private_dir__open() has returned
 * @each: called for each file; ends the visit when it returns other than 0
 * Returns: what @each has returned last; or -errno.
 */
int private_dir__for_each(int dir, int (*each)(void *ctx, const char *name, const struct stat *st),
			  void *ctx);

/*
 * Removes the files that were not loaded or saved for the longest time.
 * @dir: what private_dir__open() has returned
 * @max: bytes that may remain
 * Returns: 0 or -errno.
 */
int private_dir__prune(int dir, u64 max);

/*
 * Removes what writers have left that died, however young: for who has locked out all others.
 * @dir: what private_dir__open() has returned
 * @but: the name of a file that stays, though its name begins with a dot as theirs
 * Returns: 0 or -errno.
 */
int private_dir__remove_unfinished(int dir, const char *but);

/*
 * Waits until nobody else has the lock of a directory.
 * @dir: what private_dir__open() has returned
 * @name: of the file that is locked, which is made
 * Returns: a descriptor, the caller's, with the lock until it is closed; or -errno.
 */
int private_dir__lock(int dir, const char *name);

/* Gives the file @from of @dir the name @to, in place of what has that. Returns 0 or -errno. */
int private_dir__rename(int dir, const char *from, const char *to);

/* Removes the file @name from @dir. Returns 0 or -errno. */
int private_dir__remove(int dir, const char *name);

#endif
