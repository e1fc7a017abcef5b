/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that the user has named, to be read: by path-walk.h, in a process that is confined by its
 * broker. -EREMOTE is returned for a file in a file system that a program of another user serves
 * (FUSE): nothing there is asked for, as that may never answer.
 */
#ifndef PERF_IO_NAMED_FILE_H
#define PERF_IO_NAMED_FILE_H

#include <sys/stat.h>

#include "../base/error.h"

/*
 * @path: the name
 * @flags: as open(2), for reading or O_PATH
 * Returns: a descriptor, the caller's, or -errno.
 */
int named_file__open(const char *path, int flags);

/* The same by regular_file__open(). @path: the name. Returns a descriptor or -errno. */
int named_file__open_regular(const char *path);

/* Looks at what has the name @path. Returns 0 or -errno. */
int named_file__stat(const char *path, struct stat *st);

/*
 * Says that @path cannot be opened.
 * @code: -errno of a function above
 * Returns: @code.
 */
int named_file__failed(const char *path, int code, struct error *err);

#endif
