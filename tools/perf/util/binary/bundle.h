/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording and what it takes to read it, in one file: a tar archive, compressed by zstd, as
 * `perf data bundle` writes it (bundle-write.h).
 *
 *	perf.data        the recording; first
 *	elf/BUILD-ID     a binary; what nobody reads is zero
 *	debug/BUILD-ID   its debug file, or the kernel's or a module's, or the file of dwz(1) that
 *	                 several have in common
 *	vdso/BUILD-ID    the vDSO
 *	kallsyms/BUILD-ID  names of a kernel
 *	maps/PID         /tmp/perf-PID.map, which a just-in-time compiler wrote
 *	jit/PID          jit-PID.dump, the same
 *	dwp/BUILD-ID     the package of split units of a binary: BINARY.dwp
 *	dwo/ID           the file of a split unit, .dwo, by the unit's id in hexadecimal
 *
 * Build-ids are hexadecimal. A bundle is not to be trusted. It is unpacked into a temporary file
 * without a name, and its members are found there by these names, which are compared and never
 * opened; of two with one name the first counts, other names and kinds of members are ignored. A
 * bundle may unpack to 64 GB, of which 1 GB, or 64 times its size, are other than zero (zeros take
 * no room on disk), and have 65,536 members.
 */
#ifndef PERF_BINARY_BUNDLE_H
#define PERF_BINARY_BUNDLE_H

#include <inttypes.h>

#include "../base/error.h"
#include "../data/recording.h"

#define BUNDLE_RECORDING "perf.data"
#define BUNDLE_JIT "jit"
#define BUNDLE_PACKAGE "dwp"
#define BUNDLE_SPLIT "dwo/%016" PRIx64

struct bundle;

/*
 * Opens a bundle.
 * @out: for bundle__free()
 * @path: of a file; "-" is none
 * @force: also one of another user
 * Returns: 0; -ENOEXEC: it is no bundle, but may be a recording; another -errno with words.
 */
int bundle__open(struct bundle **out, const char *path, bool force, struct error *err);

struct bundle_limits {
	u64 all, filled; /* bytes that it may unpack to, and of these other than zero */
};

/*
 * The same with limits; bundle__open() has those that are named above.
 * @path, @force: as above
 * Returns: the same.
 */
int bundle__open_limited(struct bundle **out, const char *path, bool force,
			 const struct bundle_limits *limits, struct error *err);

/* @b may be NULL. */
void bundle__free(struct bundle *b);

/*
 * Opens a member.
 * @b: NULL: there is none
 * @name: as above
 * Returns: a descriptor of a file of its own, the caller's; -ENOENT; another -errno.
 */
int bundle__member(const struct bundle *b, const char *name);

/*
 * Opens a member that is called KIND/BUILD-ID.
 * @kind: "elf", "debug", ...
 * @id: of what is wanted; size 0: nothing is found
 * Returns: as bundle__member()
 */
int bundle__of_id(const struct bundle *b, const char *kind, const struct build_id *id);

#endif
