/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Headers of members of tar archives, in the format of POSIX (ustar), with sizes above 8 GB as GNU
 * tar writes them.
 */
#ifndef PERF_BINARY_TAR_H
#define PERF_BINARY_TAR_H

#include "../../../lib/unwind/core/types.h"

#define TAR_BLOCK 512
#define TAR_NAME_MAX 101 /* bytes with the NUL */

struct tar_member {
	char name[TAR_NAME_MAX];
	u64 size;     /* bytes, which follow, filled up to whole blocks */
	bool is_file; /* a regular one; else a folder, a link, ... */
};

/*
 * Decodes a header.
 * @block: TAR_BLOCK bytes
 * Returns: false: it is none, such as the zeros at the end.
 */
bool tar__decode(const u8 *block, struct tar_member *out);

/* Encodes a header of a regular file to @block, TAR_BLOCK bytes. */
void tar__encode(const struct tar_member *m, u8 *block);

#endif
