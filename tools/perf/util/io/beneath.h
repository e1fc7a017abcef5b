/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lies below a folder that is open: no link is followed, and nothing outside of the folder is
 * reached, whoever renames and exchanges what is in it meanwhile.
 *
 * @dir is a descriptor of the folder; O_PATH will do. Where a @name is asked for, it is one of that
 * folder itself: with a '/', or as "." or "..", it is -EINVAL.
 */
#ifndef PERF_IO_BENEATH_H
#define PERF_IO_BENEATH_H

#include <stdbool.h>
#include <sys/types.h>

/* Returns: whether @name is one that a file of a folder can have. */
bool beneath__is_name(const char *name);

/*
 * Opens a file or folder, by openat2(2) or, where the kernel has not got that or a container
 * forbids it, part by part. Close-on-exec.
 * @path: from @dir on, of one part or more; ".." is -EXDEV
 * @flags: as open(2)
 * @mode: of a new file
 * Returns: a descriptor, the caller's; -ELOOP or -ENOTDIR: a part of @path is a link; other -errno.
 */
int beneath__open(int dir, const char *path, int flags, mode_t mode);

/* Makes a folder @name of @mode in @dir. Returns 0; -EEXIST: there is something; other -errno. */
int beneath__mkdir(int dir, const char *name, mode_t mode);

/* Removes the file @name of @dir, or an empty folder, @flags AT_REMOVEDIR. Returns 0 or -errno. */
int beneath__remove(int dir, const char *name, int flags);

/* Gives the file @from of @dir the name @to, in place of what has that. Returns 0 or -errno. */
int beneath__rename(int dir, const char *from, const char *to);

/* Makes a symbolic link @name with the text @target in @dir. Returns 0 or -errno. */
int beneath__symlink(int dir, const char *target, const char *name);

/* Gives the file @from of @dir a second name @to, which is free. Returns 0 or -errno. */
int beneath__link(int dir, const char *from, const char *to);

/*
 * Gives an open file the name @to in @dir, which is free. Takes /proc.
 * @fd: the file; it may have no name so far (O_TMPFILE)
 * Returns: 0 or -errno.
 */
int beneath__link_fd(int dir, int fd, const char *to);

#endif
