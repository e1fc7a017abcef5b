/* SPDX-License-Identifier: GPL-2.0-only */
/* What goes into a bundle (bundle.h) for a binary, and for the kernel. */
#ifndef PERF_BINARY_BUNDLE_FILL_H
#define PERF_BINARY_BUNDLE_FILL_H

#include "binaries.h"
#include "bundle-write.h"

/*
 * Adds a binary, or the vDSO, with its debug file, and what this has in common with others.
 * @b: knows the files
 * @dso: has a build-id
 * @parts: of its files
 * @nr_debug: grows by the number of debug files
 * Returns: as bundle_writer__add()
 */
int bundle__add_binary(struct bundle_writer *w, struct binaries *b, const struct dso *dso,
		       enum bundle_parts parts, u32 *nr_debug);

/*
 * Adds the names of a kernel and its modules: of the running one, or from the build-id cache.
 * @opts: where that is
 * @id: its build-id
 * Returns: as bundle_writer__add(); -ENOENT: they are not known; -EACCES: addresses are hidden.
 */
int bundle__add_kernel(struct bundle_writer *w, const struct binary_opts *opts,
		       const struct build_id *id);

#endif
