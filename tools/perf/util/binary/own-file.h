/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that are found by a name only, where anybody may have put another one: what processes say
 * of their code.
 */
#ifndef PERF_BINARY_OWN_FILE_H
#define PERF_BINARY_OWN_FILE_H

/*
 * Opens a file of the user's or root's; never through a link, and without waiting for a FIFO.
 * @path: its path
 * Returns: a descriptor that the caller owns; -EPERM when it belongs to others; another -errno.
 */
int own_file__open(const char *path);

/*
 * Opens a file in the folder of a recording (x.data.jit) that was moved with it.
 * @recording: the path of the recording; or NULL
 * @path: that the file had
 * Returns: as own_file__open().
 */
int own_file__open_beside(const char *recording, const char *path);

#endif
