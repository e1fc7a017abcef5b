/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files mapped read-only, safe against shrinking underneath us.
 *
 * Reading past the new end of a mapped file raises SIGBUS. Our handler puts zero pages there and
 * marks the mapping, so that a decoder sees zeros (which no format accepts) and the owner can
 * say "shrank while it was read". Call mapfile__init() once, early in main(). All zero is a
 * mapping of nothing, which may be unmapped.
 */
#ifndef PERF_IO_MAPFILE_H
#define PERF_IO_MAPFILE_H

#include "../../../lib/unwind/core/types.h"

struct mapfile {
	const u8 *data; /* NULL for an empty file */
	size_t size;
	size_t mapped;  /* internal: page-rounded size */
	struct mapfile_guard *guard; /* internal: by which the handler knows it; NULL: not mapped */
};

/* Installs the handler of SIGBUS. Once, before any file is mapped. */
void mapfile__init(void);

/*
 * Maps the whole of a file.
 * @fd: borrowed; the mapping stays when it is closed
 * Returns: 0; -EINVAL for what cannot be mapped; -ENOMEM also when as many files are mapped as
 *         mapfile__max() says; another -errno.
 */
int mapfile__map(struct mapfile *m, int fd);

/*
 * Allows a library to write to the mapping: to copies of its pages, never to the file. (libdw
 * changes section headers in place when it decompresses.)
 * Returns: 0 or -errno.
 */
int mapfile__allow_writes(struct mapfile *m);

/* Announces random access, so that read-ahead does not fetch megabytes around each page. */
void mapfile__read_sparsely(const struct mapfile *m);

/*
 * Starts to read a part of the mapping from disk, and does not wait for it.
 * @data: where in the mapping
 * @len: bytes
 */
void mapfile__fetch(const struct mapfile *m, const void *data, size_t len);

/*
 * Gives back the memory of what was read of all mappings, which are read again where they are
 * needed, mostly from the page cache: for a process that lives long and reads seldom. Pages that a
 * library has written to stay, and no other thread may let one write meanwhile.
 */
void mapfile__release_pages(void);

/* Unmaps the file. The struct is a mapping of nothing then. */
void mapfile__unmap(struct mapfile *m);

/*
 * Returns: how many files may be mapped at a time: half of the mappings that the kernel allows a
 *         process (vm.max_map_count).
 */
u64 mapfile__max(void);

/* Returns: true once a read has hit pages that the file no longer has. */
bool mapfile__shrank(const struct mapfile *m);

#endif
