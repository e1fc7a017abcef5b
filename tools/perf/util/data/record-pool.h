/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies of records, kept as long as they are needed. They are in blocks, one after another, and a
 * block is kept as long as any record in it; so records should be released in the order of copying.
 */
#ifndef PERF_DATA_RECORD_POOL_H
#define PERF_DATA_RECORD_POOL_H

#include "record.h"

struct record_block;

struct record_pool {
	struct record_block *filling;
	u64 held; /* bytes of memory */
};

/* Ends the filling of blocks. Records that are still in use keep theirs, and need the pool. */
void record_pool__close(struct record_pool *p);

/*
 * Copies a record.
 * @hdr: the record
 * @owner: out: its block, with one reference for the caller
 * Returns: the copy, 8-byte aligned; valid until the reference is put.
 */
const struct perf_event_header *record_pool__add(struct record_pool *p,
						 const struct perf_event_header *hdr,
						 struct record_block **owner);

/* Takes a reference. */
void record_block__get(struct record_block *b);

/* Drops a reference; the last one frees the block. */
void record_block__put(struct record_block *b);

#endif
