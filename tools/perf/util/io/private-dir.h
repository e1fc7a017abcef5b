/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory of files that nobody but this user can have written, for what is to be believed
 * later on.
 *
 * The directory and what is read from it belong to the effective user and are not writable by
 * others, and neither is a symbolic link; the directory that it lies in belongs to the user, too.
 * What is otherwise is refused, so that a root with another user's HOME neither believes that user
 * nor leaves files there. A file never changes: it is written under another name and takes its
 * place whole, or not at all. Writers need no lock; of two that write one file at a time, the
 * later one's stays.
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

/* Removes the files that were not loaded or saved for longest, until @max bytes remain. */
int private_dir__prune(int dir, u64 max);

/* 0 or -errno. */
int private_dir__remove(int dir, const char *name);

#endif
