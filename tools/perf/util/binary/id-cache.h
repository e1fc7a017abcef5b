/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The build-id cache that all perfs share, by default ~/.debug:
 *
 *	.build-id/xx/yyyy -> ../../PATH/xxyyyy    a link for each build-id
 *	PATH/xxyyyy/elf                           the binary, as it was recorded
 *	PATH/xxyyyy/debug                         its debug file
 *	[kernel.kallsyms]/xxyyyy/kallsyms         addresses and names of a kernel
 *	[vdso]/xxyyyy/vdso
 *
 * PATH is that of the binary; other perfs have `probes` and others beside these. What is written is
 * a copy, not a link to the file, as theirs is: a compiler or cp(1) may write into that.
 *
 * The directory is only written to when it belongs to the effective user, and so do all folders on
 * the way to a file, none of which is a symbolic link: otherwise root with another user's HOME
 * could be led anywhere. A file appears as a whole or not at all.
 */
#ifndef PERF_BINARY_ID_CACHE_H
#define PERF_BINARY_ID_CACHE_H

#include "binaries.h"

struct id_cache {
	int fd;             /* of the directory */
	char dir[PATH_MAX]; /* its name */
};

/*
 * Opens the cache for writing, and makes its directory if it is not there.
 * @c: for id_cache__close(), also on failure
 * @opts: .buildid_dir is used
 * Returns: 0, or -errno with words.
 */
int id_cache__open(struct id_cache *c, const struct binary_opts *opts, struct error *err);

/* Closes the directory. */
void id_cache__close(struct id_cache *c);

enum id_cache_add {
	ID_CACHE_ADD,     /* what is there already is left alone */
	ID_CACHE_REPLACE, /* is replaced */
};

/*
 * Adds a file.
 * @name: the path of the binary, "[vdso]" or "[kernel.kallsyms]"; not trusted
 * @id: its build-id
 * @leaf: which file it is: "elf", "debug", "kallsyms", "vdso"
 * @fd: its contents, from the beginning; stays the caller's
 * Returns: 0; -EEXIST: there is such a file; -EINVAL: that is no name for a file; another -errno.
 */
int id_cache__add(const struct id_cache *c, const char *name, const struct build_id *id,
		  const char *leaf, int fd, enum id_cache_add how);

/*
 * Finds the debug file of a binary that has no names of its own.
 * @binary: the open file of @dso; stays the caller's
 * Returns: a descriptor, the caller's; -ENOENT: there is none, or none is needed; another -errno.
 */
int id_cache__find_debug(struct binaries *b, const struct dso *dso, int binary);

/*
 * Adds what is known of a dso: the binary, its debug file if there is one, or the names of the
 * running kernel.
 * @id: its build-id; for the kernel that of the running one
 * Returns: 0; -EEXIST: the binary is there already; -ENOENT: nothing is known; another -errno.
 */
int id_cache__add_dso(const struct id_cache *c, struct binaries *b, const struct dso *dso,
		      const struct build_id *id, enum id_cache_add how);

/*
 * Removes all files of a build-id.
 * Returns: 0; -ENOENT: there are none; another -errno.
 */
int id_cache__remove(const struct id_cache *c, const struct build_id *id);

/* A build-id in the cache. */
struct id_cache_entry {
	struct build_id id;
	char *name; /* path of the binary, "[vdso]", ... */
};

struct id_cache_list {
	VEC(struct id_cache_entry) entries; /* in the order of build-ids */
};

/*
 * Lists what is in the cache, whoever it belongs to: links that lead to a folder of that name.
 * @list: filled; for id_cache_list__free()
 * Returns: 0, also if there is no cache; -errno with words.
 */
int id_cache__list(const struct binary_opts *opts, struct id_cache_list *list, struct error *err);

/* Frees the entries. */
void id_cache_list__free(struct id_cache_list *list);

#endif
