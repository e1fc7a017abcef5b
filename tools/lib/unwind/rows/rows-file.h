/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The file in which pages of a row table are kept; rows-cache.c reads and writes it.
 *
 *	struct rows_file
 *	struct row_rule[nr_rules]         without ROW_PLAIN_*; the first two are a hole and EVAL
 *	struct rows_file_page[nr_pages]   of all pages of the table's spans, one after the other
 *	u16 pc[nr], u16 rule[nr]          of each page that is there
 *
 * In the byte order of the machine that wrote it. The head with the rules, and each page, have a
 * checksum of their own, so that no more is read than is used. Checksums find damage, not
 * malice: everything is checked as well that the walker relies on.
 */
#ifndef PERF_UNWIND_ROWS_ROWS_FILE_H
#define PERF_UNWIND_ROWS_ROWS_FILE_H

#include "../core/hash.h"
#include "rows-cache.h"

#define ROWS_FILE_MAGIC 0x33736a776f527250ULL
#define ROWS_FILE_MAX_PAGES (1U << 20) /* 64 GB of text */

struct rows_file {
	u64 magic;
	u64 sum;               /* of what follows, and the rules */
	u64 size;              /* of the file */
	struct rows_cache_key key;
	u32 nr_rules, nr_pages;
};

struct rows_file_page {
	u64 sum;
	u32 offset;            /* of pc[], from the end of the last struct rows_file_page */
	u32 nr;                /* 0: the page is not there */
};

/* Returns: the checksum of what follows .sum of @f, which has its rules behind it. */
static inline u64 rows_file__sum(const struct rows_file *f)
{
	size_t skip = offsetof(struct rows_file, size);

	return stable_hash_bytes((const u8 *)f + skip,
				 sizeof(*f) - skip + f->nr_rules * sizeof(struct row_rule));
}

/* Returns: where the descriptions of pages begin in a file with @nr_rules rules. */
static inline u64 rows_file__pages_at(u32 nr_rules)
{
	return align_up(sizeof(struct rows_file) + nr_rules * sizeof(struct row_rule),
			sizeof(u64));
}

/*
 * The checksum of a page. One at another place, or of another file, is a wrong one, too.
 * @number: of the page in the table
 * @pc: @nr keys and as many numbers of rules
 * @nr: rows
 * Returns: the checksum.
 */
static inline u64 rows_file__page_sum(const struct rows_cache_key *key, u32 number, const u16 *pc,
				      u32 nr)
{
	return hash_mix(stable_hash_bytes(pc, nr * 2 * sizeof(*pc)) ^ (key->shape + number));
}

#endif
