/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Row tables from run to run: files in the directory .unwind of the build-id cache, named by
 * build-id, and made by whoever unwinds. It holds what was used last, up to ROWS_DIR_MAX bytes.
 *
 * Kept are those of programs and libraries that have a build-id, are not deleted, and belong to
 * root or to this user: the binaries of others could claim to be what they are not. See
 * private-dir.h for whom the files must belong to.
 */
#ifndef PERF_COMPLETE_ROWS_DIR_H
#define PERF_COMPLETE_ROWS_DIR_H

#include "../state/machine.h"
#include "../binary/binaries.h"
#include "../unwinder/unwinder.h"

#define ROWS_DIR_MAX (256ULL << 20)

struct rows_dir;

/*
 * From now on @u takes its rows from there, where they are. Never fails: a directory that cannot
 * be used is one that is empty. All arguments are borrowed.
 */
struct rows_dir *rows_dir__new(struct unwinder *u, struct machine *machine, struct binaries *b,
			       const struct binary_opts *opts);

/* Saves what @u has made, and removes what is too much. Before the unwinder is freed. */
void rows_dir__save(struct rows_dir *d);
void rows_dir__free(struct rows_dir *d);

/* The directory itself, see private-dir.h. A file descriptor, or -errno with words. */
int rows_dir__open(const struct binary_opts *opts, struct error *err);

#endif
