/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies of records, kept as long as they are needed. They lie in blocks, one after another, and a
 * block lives as long as any record in it; records should be released in the order of copying.
 */
#ifndef PERF_DATA_RECORD_POOL_H
#define PERF_DATA_RECORD_POOL_H

#include "record.h"

struct record_block;

struct record_pool {
	struct record_block *filling;
	u64 held; /* bytes of memory */
};

/* All zero is an empty pool. Records that are still in use keep their blocks, and need the pool. */
void record_pool__close(struct record_pool *p);

/* The copy, 8-byte aligned, with one reference on @owner for the caller. */
const struct perf_event_header *record_pool__add(struct record_pool *p,
						 const struct perf_event_header *hdr,
						 struct record_block **owner);

void record_block__get(struct record_block *b);
void record_block__put(struct record_block *b);

#endif
