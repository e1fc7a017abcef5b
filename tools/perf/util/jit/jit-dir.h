/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The folder beside a recording with what processes said of their code: OUTPUT.jit. Internal to
 * this room.
 */
#ifndef PERF_JIT_JIT_DIR_H
#define PERF_JIT_JIT_DIR_H

/*
 * Makes a file in the folder, which is made if it is not there; in place of what an earlier
 * recording has left. Never through a link, nor in another user's folder.
 * @dir: the folder
 * @path: of the file
 * Returns: a descriptor for reading and writing, the caller's; -EPERM: the folder is another's, or
 *         something else; -EEXIST; another -errno.
 */
int jit_dir__create(const char *dir, const char *path);

#endif
