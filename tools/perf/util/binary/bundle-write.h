/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes bundles: see bundle.h. */
#ifndef PERF_BINARY_BUNDLE_WRITE_H
#define PERF_BINARY_BUNDLE_WRITE_H

#include "bundle.h"

struct bundle_writer;

/*
 * Begins a bundle, which appears when it is complete.
 * @out: for bundle_writer__free()
 * @path: of the file; borrowed
 * @level: of zstd, 1 to 19
 * Returns: 0, or -errno with words.
 */
int bundle_writer__open(struct bundle_writer **out, const char *path, int level,
			struct error *err);

/* Frees the writer, and removes what is not finished. @w may be NULL. */
void bundle_writer__free(struct bundle_writer *w);

enum bundle_parts {
	BUNDLE_WHOLE, /* the file as it is */
	BUNDLE_NAMES, /* of an ELF file what names, lines and inlined functions come from */
};

/*
 * Adds a member.
 * @name: as bundle.h says; of two with one name the second is left out
 * @fd: its contents; stays the caller's
 * @parts: what is not zero in the bundle
 * Returns: 0; -EEXIST: there is one; -EINVAL: it cannot be read; another -errno: it cannot be
 *         written.
 */
int bundle_writer__add(struct bundle_writer *w, const char *name, int fd, enum bundle_parts parts);

/*
 * The same of a member KIND/BUILD-ID.
 * @kind: "elf", "debug", ...
 * @id: its build-id
 * @fd, @parts: as above
 * Returns: the same.
 */
int bundle_writer__add_id(struct bundle_writer *w, const char *kind, const struct build_id *id,
			  int fd, enum bundle_parts parts);

/* The same of @size bytes at @data. @name: as above. Returns the same. */
int bundle_writer__add_bytes(struct bundle_writer *w, const char *name, const void *data,
			     size_t size);

/*
 * Ends the bundle.
 * @size: out: bytes of the file
 * @unpacked: out: bytes of all members
 * Returns: 0, or -errno with words.
 */
int bundle_writer__finish(struct bundle_writer *w, u64 *size, u64 *unpacked, struct error *err);

#endif
