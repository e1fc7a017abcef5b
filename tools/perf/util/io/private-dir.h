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
 * The directory @name in @parent, made when it is not there, and @parent likewise when the
 * directory that it lies in is this user's. A file descriptor, or -errno with words.
 */
int private_dir__open(const char *parent, const char *name, struct error *err);

/* A file, to be read. A descriptor, or -errno; -EPERM for what another user may have written. */
int private_dir__load(int dir, const char *name);

/* 0 or -errno; what was there stays then. */
int private_dir__save(int dir, const char *name, const void *data, size_t size);

/* Calls @each for the files with private_dir__save()'s names; ends when it returns other than 0. */
int private_dir__for_each(int dir, int (*each)(void *ctx, const char *name, const struct stat *st),
			  void *ctx);

/* Removes the files that were not loaded or saved for the longest time, until @max bytes remain. */
int private_dir__prune(int dir, u64 max);

/* 0 or -errno. */
int private_dir__remove(int dir, const char *name);

#endif
