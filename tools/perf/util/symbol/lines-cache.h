/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What earlier runs have found of a binary's addresses: files in the directory .lines of the
 * build-id cache, named by build-id. The most recently used ones are kept, up to LINES_DIR_MAX
 * bytes. See private-dir.h for the owners of the directory and the files. Internal to this room.
 *
 * A file is used only for the very file with debug information that it was made of, by size, time
 * of change and inode, and only if that belongs to root or to this user, and by the build of perf
 * that made it.
 */
#ifndef PERF_SYMBOL_LINES_CACHE_H
#define PERF_SYMBOL_LINES_CACHE_H

#include "../binary/binary.h"
#include "../dwarf/dwarf.h"

#define LINES_DIR_MAX (256ULL << 20)
#define LINES_FILE_MAX (64u << 20) /* what would be larger is not kept */

struct lines_cache;

/*
 * @opts: where the directory is; borrowed
 * @fd: the file with the debug information; borrowed
 * Returns: what lines_cache__free() frees; NULL when nothing can be kept of such a file.
 */
struct lines_cache *lines_cache__open(const struct binary_opts *opts, int fd);

/* Saves what is new. @c may be NULL. */
void lines_cache__free(struct lines_cache *c);

/*
 * Looks for an address, @addr.
 * @out: as dwarf__find() fills it; calls and strings are the cache's. Equal calls have equal
 *       pointers.
 * Returns: 1; 0 when it is known that nothing is known of it; -ENOENT: the address is not here.
 */
int lines_cache__find(struct lines_cache *c, u64 addr, struct dwarf_place *out);

/*
 * Adds an address, @addr, which is not here.
 * @place: what was found; copied. Its calls and strings must live as long as the cache. NULL:
 *         nothing is known
 */
void lines_cache__add(struct lines_cache *c, u64 addr, const struct dwarf_place *place);

/*
 * Returns: how a name is shown that lines_cache__find() has handed out, @name; the cache's. NULL:
 *         that was not kept.
 */
const char *lines_cache__shown(const struct lines_cache *c, const char *name);

/* Keeps that for a name of which it is not kept. @name, @shown: must live as long as the cache */
void lines_cache__add_shown(struct lines_cache *c, const char *name, const char *shown);

#endif
