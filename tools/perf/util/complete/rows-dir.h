/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Row tables that are kept from run to run: files in the directory .unwind of the build-id cache,
 * named by build-id, made by all commands that unwind. The most recently used ones are kept, up to
 * ROWS_DIR_MAX bytes.
 *
 * Tables are kept for programs and libraries that are not deleted, and belong to root or to this
 * user: other users' binaries could have the build-id of another file. See private-dir.h for the
 * owners of the directory and the tables.
 */
#ifndef PERF_COMPLETE_ROWS_DIR_H
#define PERF_COMPLETE_ROWS_DIR_H

#include "../state/machine.h"
#include "../binary/binaries.h"
#include "../unwinder/unwinder.h"

#define ROWS_DIR_MAX (256ULL << 20)

struct rows_dir;

/*
 * From now on @u takes rows from the directory, if they are there. A directory that cannot be used
 * counts as an empty one. All arguments are borrowed.
 * Returns: what rows_dir__free() frees; never NULL.
 */
struct rows_dir *rows_dir__new(struct unwinder *u, struct machine *machine, struct binaries *b,
			       const struct binary_opts *opts);

/*
 * Saves the rows that the unwinder has made, and removes the oldest beyond the limit. To be called
 * before the unwinder is freed.
 */
void rows_dir__save(struct rows_dir *d);

/* @d may be NULL. */
void rows_dir__free(struct rows_dir *d);

/*
 * Opens the directory itself, see private-dir.h.
 * Returns: a descriptor, the caller's; or -errno with words.
 */
int rows_dir__open(const struct binary_opts *opts, struct error *err);

#endif
