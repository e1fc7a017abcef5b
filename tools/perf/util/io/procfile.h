/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of /proc, /sys and tracefs, whose size is known only after reading them. */
#ifndef PERF_IO_PROCFILE_H
#define PERF_IO_PROCFILE_H

#include "../base/types.h"

/*
 * The whole file, with a NUL behind it, in *text (malloc()ed). @len may be NULL. 0 or -errno;
 * -EFBIG beyond 256 MiB, which no such file has.
 */
int procfile__read(const char *path, char **text, size_t *len);

/* A number in a file: @fallback when it cannot be read. */
s64 procfile__number(const char *path, s64 fallback);

/*
 * Calls @fn for each entry of the directory @path whose name is a number above 0, in its order,
 * until @fn returns non-zero, which is then returned. -errno when it cannot be opened.
 */
int procfile__for_each_number(const char *path, int (*fn)(void *ctx, u32 number), void *ctx);

#endif
