/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exact horizons of a seekable file: pass 1 notes each record's time, pass 2 asks, after the
 * same number of records, up to which time nothing older follows.
 */
#ifndef PERF_ORDER_HORIZON_H
#define PERF_ORDER_HORIZON_H

#include "../base/types.h"

struct horizon;

struct horizon *horizon__new(void);
void horizon__free(struct horizon *h);

void horizon__note(struct horizon *h, u64 time); /* pass 1, every record; NO_TIME is fine */
void horizon__seal(struct horizon *h);           /* end of pass 1 */

/*
 * Pass 2, after record number @nr (1 = the first): true when a chunk ended here, and @time is
 * then the time up to which everything may be emitted.
 */
bool horizon__at(const struct horizon *h, u64 nr, u64 *time);

#endif
