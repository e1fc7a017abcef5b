/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies of records for as long as they are needed: they lie in blocks, one behind the other, and
 * a block lives as long as one of the records in it. What was copied first should go first.
 */
#ifndef PERF_DATA_RECORD_POOL_H
#define PERF_DATA_RECORD_POOL_H

#include "record.h"

struct record_block;

struct record_pool {
	struct record_block *filling;
	u64 held; /* bytes of memory */
};

/* All zero is an empty pool. Records that are still out keep their blocks, and need the pool. */
void record_pool__close(struct record_pool *p);

/* The copy, 8-byte aligned, with one reference on @owner for the caller. */
const struct perf_event_header *record_pool__add(struct record_pool *p,
						 const struct perf_event_header *hdr,
						 struct record_block **owner);

void record_block__get(struct record_block *b);
void record_block__put(struct record_block *b);

#endif
