/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exact horizons of a seekable file: pass 1 notes each record's time, pass 2 asks, after the
 * same number of records, up to which time nothing older follows.
 */
#ifndef PERF_ORDER_HORIZON_H
#define PERF_ORDER_HORIZON_H

#include "../../../lib/unwind/core/types.h"

struct horizon;

/* Returns: what horizon__free() frees. */
struct horizon *horizon__new(void);

/* @h may be NULL. */
void horizon__free(struct horizon *h);

/* Pass 1: to be called for every record. @time: of the record; NO_TIME is fine. */
void horizon__note(struct horizon *h, u64 time);

/* Ends pass 1. */
void horizon__seal(struct horizon *h);

/*
 * Pass 2: asks after each record.
 * @nr: the number of the record; 1 is the first
 * @time: out: the time up to which everything may be emitted
 * Returns: true when a chunk ended here and @time was set.
 */
bool horizon__at(const struct horizon *h, u64 nr, u64 *time);

#endif
