/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perf of the kernel's tools, for the commands that this one does not have.
 *
 * It is the first executable file `perf` in PATH that is not this program itself. It may be a
 * script, or a copy of this program, that looks for a perf in turn: files that were tried are
 * listed in $PERF_HANDED_ON, so that none is tried twice, and the chain ends.
 */
#ifndef PERF_CLI_OTHER_PERF_H
#define PERF_CLI_OTHER_PERF_H

#include "../../../lib/unwind/core/types.h"

/* Finds it. @path: out; has PATH_MAX bytes. Returns false when there is none. */
bool other_perf__find(char *path);

/*
 * Executes it; @argv is the whole command line, with argv[0]. Returns only on failure: -ENOENT if
 * there is none, or another -errno.
 */
int other_perf__become(const char *const *argv);

/*
 * Executes perf-NAME from the directory of perf's own files or from PATH. @argv[0] is NAME. Returns
 * only on failure: -ENOENT, or another -errno.
 */
int other_perf__become_extension(const char *const *argv);

/*
 * Returns: command number @i, from 0, of those that the kernel's perf of Linux 7.2 has and this one
 *         has not; NULL behind the last.
 */
const char *other_perf__known(size_t i);

/* Returns: whether @name is one of those. */
bool other_perf__is_known(const char *name);

/*
 * Returns: the commands of the other perf, as it prints them: words, for free(); NULL: there is no
 *         other perf.
 */
char *other_perf__commands(void);

#endif
