/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Pages of a row table that an earlier run has compiled, read from a file; and the making of
 * such a file. rows-file.h describes it.
 *
 * What the file holds is hostile: a page that is not as it should be is not there, and is
 * compiled again. Not for several threads at a time.
 */
#ifndef PERF_UNWIND_ROWS_ROWS_CACHE_H
#define PERF_UNWIND_ROWS_ROWS_CACHE_H

#include "rows.h"

#define ROWS_ID_MAX 28

/* What the rows were made of, and by what. All of it must be the same. */
struct rows_cache_key {
	u64 maker;             /* the program: another one may make other rows */
	u64 shape;             /* hash of the binary's form and the order of sources */
	u32 id_size;
	u8 id[ROWS_ID_MAX];    /* build-id; zero behind id_size */
};

struct rows_cache;

/*
 * Opens a file of kept pages.
 * @env: must live longer
 * @fd: not consumed
 * @key: what it must have been made of
 * @r: the table that its pages are for; NULL: it is only looked at, whatever @key is
 * @why: out: words, when NULL is returned
 * Returns: NULL when there is nothing that can be used, or out of memory.
 */
struct rows_cache *rows_cache__open(const struct unwind_env *env, int fd,
				    const struct rows_cache_key *key, const struct rows *r,
				    const char **why);

/* NULL is fine. */
void rows_cache__close(struct rows_cache *c);

/*
 * Pages that @c has are taken from there. It is the table's from now on; NULL: there is nothing. To
 * be called before anything is looked up.
 */
void rows__use_cache(struct rows *r, struct rows_cache *c);

/* What is in a file; pages that are not as they should be are broken. */
struct rows_cache_state {
	u32 pages, broken, rules;
	u64 rows;
};

/* Reads all of it. Returns: what is in it. */
struct rows_cache_state rows_cache__verify(const struct rows_cache *c);

/*
 * Makes the contents of a new file: the pages that @r has compiled, and of @old those that it has
 * not.
 * @old: may be NULL
 * @key: what they were made of
 * @size: out: bytes
 * Returns: the contents, to be freed with r->env; NULL when @r has compiled none, when a file
 * cannot hold them, or out of memory.
 */
void *rows_cache__encode(const struct rows_cache *old, struct rows *r,
			 const struct rows_cache_key *key, size_t *size);

#endif
