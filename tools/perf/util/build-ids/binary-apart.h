/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A binary that the user names, read by a process that has no rights over files when it parses
 * (reader-confine.h), for commands that keep theirs to write.
 */
#ifndef PERF_BUILD_IDS_BINARY_APART_H
#define PERF_BUILD_IDS_BINARY_APART_H

#include <limits.h>

#include "../binary/build-id.h"
#include "../symbol/symbols.h"

struct binary_apart {
	int fd, debug;       /* open files: the binary, its debug file; -1: there is none */
	char path[PATH_MAX]; /* without links, or as named below .binary.symfs */
	struct build_id id;
};

/*
 * @f: filled, for binary_apart__close(); also on failure
 * @file: its name, below .binary.symfs
 * @opts: where files are; must live as long as servers are asked
 * Returns: 0; -EINVAL with words: there is no such file, or it has no build-id.
 */
int binary_apart__read(struct binary_apart *f, const char *file, const struct symbols_opts *opts,
		       struct error *err);

/* Closes the files. */
void binary_apart__close(struct binary_apart *f);

#endif
