/* SPDX-License-Identifier: GPL-2.0-only */
/* What goes into a bundle (bundle.h) for a binary, for the kernel, and for its modules. */
#ifndef PERF_BINARY_BUNDLE_FILL_H
#define PERF_BINARY_BUNDLE_FILL_H

#include "binaries.h"
#include "bundle-write.h"

/* Files with source lines: how many there are, and of how many binaries there is none here. */
struct bundle_debug {
	u32 packed, missing;
};

/*
 * Adds a binary, or the vDSO, with its debug file, and what this has in common with others.
 * @b: knows the files
 * @dso: has a build-id
 * @parts: of its files
 * @debug: grows by what was added, and by one for a binary that has no lines here
 * Returns: as bundle_writer__add()
 */
int bundle__add_binary(struct bundle_writer *w, struct binaries *b, const struct dso *dso,
		       enum bundle_parts parts, struct bundle_debug *debug);

/*
 * Adds the names of a kernel and its modules: of the running one, or from the build-id cache.
 * @opts: where that is
 * @id: its build-id
 * Returns: as bundle_writer__add(); -ENOENT: they are not known; -EACCES: addresses are hidden.
 */
int bundle__add_kernel(struct bundle_writer *w, const struct binary_opts *opts,
		       const struct build_id *id);

struct bundle_kernel {
	const char *release; /* of the recorded kernel, as uname(2) says; or NULL */
	const char *vmlinux; /* the kernel's file, which the user has named; or NULL */
};

/*
 * Adds the debug file of a kernel or of a module, as names, lines and inlined functions need it.
 * @b: knows the files
 * @dso: of the kernel or a module
 * @id: its build-id
 * @debug: as above
 * Returns: as bundle_writer__add(); -ENOENT: there is none here; -ESTALE: .vmlinux is of another
 *         build.
 */
int bundle__add_kernel_debug(struct bundle_writer *w, struct binaries *b, const struct dso *dso,
			     const struct build_id *id, const struct bundle_kernel *kernel,
			     struct bundle_debug *debug);

#endif
