/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opening binaries for root, with programs of other users. Such a program may be in a file system
 * that the program itself, or another machine, serves, and that does not answer: a process that
 * waits for it cannot even be ended by SIGTERM, and what happens meanwhile is not recorded.
 *
 * So only files of local file systems are opened directly: through the kernel's own references to
 * them (/proc/PID/map_files, /proc/PID/exe), or by names that the kernel can look up in its memory
 * (regular_file__open_at_once()). Other names are opened by another process, and given up when it
 * takes too long. A file of a file system that is not local is copied, since reading a page could
 * take as long.
 */
#ifndef PERF_BINARY_GUARDED_OPEN_H
#define PERF_BINARY_GUARDED_OPEN_H

#include "binary.h"

struct guarded_open;

/*
 * @opts: copied; the strings in it must live as long as the result
 * Returns: what guarded_open__free() frees.
 */
struct guarded_open *guarded_open__new(const struct binary_opts *opts);

/* @g may be NULL. */
void guarded_open__free(struct guarded_open *g);

/*
 * As binary__open().
 * @use: a process that maps the binary, or NULL
 * @copied: out: what the copy takes of 1 GB for all copies, to be given back by
 *         guarded_open__drop() when the descriptor is closed; 0: it is no copy
 * Returns: a descriptor that the caller owns; -ETIMEDOUT: it took too long; -EDQUOT: others did;
 *         another -errno.
 */
int guarded_open__binary(struct guarded_open *g, const struct dso *dso,
			 const struct binary_use *use, u64 *copied);

/* Gives back the @copied bytes of a copy that was closed. */
void guarded_open__drop(struct guarded_open *g, u64 copied);

/*
 * As debug_wanted__open().
 * @checksums: the bytes that may be read for checksums; NULL: no limit
 * Returns: a descriptor that the caller owns; -ETIMEDOUT and -EDQUOT as above; another -errno.
 */
int guarded_open__debug(struct guarded_open *g, const struct debug_wanted *want,
			struct budget *checksums);

/* Returns: the number of files that could not be opened in time. */
u32 guarded_open__nr_given_up(const struct guarded_open *g);

#endif
