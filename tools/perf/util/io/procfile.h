/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of /proc, /sys and tracefs, whose size is known only after reading them. */
#ifndef PERF_IO_PROCFILE_H
#define PERF_IO_PROCFILE_H

#include "../../../lib/unwind/core/types.h"

/*
 * Reads a whole file.
 * @path: of the file
 * @text: out: the contents with a NUL behind them, for free()
 * @len: out: bytes, without the NUL; may be NULL
 * Returns: 0; -EFBIG beyond 256 MiB, which no such file has; another -errno.
 */
int procfile__read(const char *path, char **text, size_t *len);

/*
 * The same of an open file.
 * @fd: is read from where it is
 * @text, @len: as above
 * Returns: the same.
 */
int procfile__read_fd(int fd, char **text, size_t *len);

/*
 * Returns: the last number of the line of @text (/proc/PID/status) that begins with @name, as that
 *         in the innermost namespace of "NSpid:"; 0: there is none.
 */
u32 procfile__last_number(const char *text, const char *name);

/* Returns: the number in the file @path; @fallback when it cannot be read. */
s64 procfile__number(const char *path, s64 fallback);

/* Returns: the bytes that this process has mapped, which its forks begin with; 0: not known. */
u64 procfile__own_memory(void);

/*
 * Visits the entries of the directory @path whose name is a number above 0, in their order there.
 * @fn: called for each; ends the visit when it returns other than 0
 * Returns: what @fn has returned last; -errno when the directory cannot be opened.
 */
int procfile__for_each_number(const char *path, int (*fn)(void *ctx, u32 number), void *ctx);

/*
 * Who the files of a process in /proc belong to does not say whose it is: they are root's where it
 * may not be dumped, and each process can ask for that itself (PR_SET_DUMPABLE in prctl(2)).
 * @dir: open directory of the process in /proc
 * Returns: whether all of its user ids are @uid: real, effective, saved, and that for files.
 */
bool procfile__is_of_user(int dir, u32 uid);

#endif
