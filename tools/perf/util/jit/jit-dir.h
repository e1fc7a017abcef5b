/* SPDX-License-Identifier: GPL-2.0-only */
/* The folder beside a recording with what processes said of their code: OUTPUT.jit. */
#ifndef PERF_JIT_JIT_DIR_H
#define PERF_JIT_JIT_DIR_H

#include "../io/out-place.h"

struct jit_dir {
	char *path;                      /* absolute, for names of files in recordings */
	char *name;                      /* in the folder of the recording */
	const struct out_folder *parent; /* that folder; borrowed */
	struct out_folder folder;        /* once a file was made there */
};

/*
 * The folder of an output. Nothing is made yet.
 * @d: filled, for jit_dir__close()
 * @output: of the recording; borrowed
 */
void jit_dir__init(struct jit_dir *d, const struct out_place *output);

/* Closes the folder and frees the names. */
void jit_dir__close(struct jit_dir *d);

/*
 * Makes a file in the folder, which is made if it is not there; in place of what an earlier
 * recording has left. Never through a link, nor in a folder that is neither this user's nor of who
 * owns the recording's.
 * @name: of the file
 * Returns: a descriptor for reading and writing, the caller's; -EPERM: the folder is another's, or
 *         something else; another -errno.
 */
int jit_dir__create(struct jit_dir *d, const char *name);

#endif
