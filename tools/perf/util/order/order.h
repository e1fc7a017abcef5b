/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The first stage: many buffers in, one stream in time order out.
 *
 * Records are held until the caller says up to which time nothing older can come any more (the
 * horizon), and then leave in time order; equal times keep the order of arrival. A record without a
 * time (NO_TIME) stays where it arrived, behind the newest time seen before it.
 *
 * Two ways to know the horizon:
 *  - a seekable file is scanned once (horizon.h): the smallest time behind each chunk is known
 *    exactly, so the order is perfect and little is held;
 *  - a live recording or a stream uses rounds: what was read before the previous round ended is
 *    safe. A record older than what already left is delivered at once and counted as late.
 *
 * With rounds, a wrong time in the future would let all records leave, and all that come after it
 * would be late. So a time far beyond all others (see order__by_rounds()) is doubted, and its
 * record waits apart. If nothing else comes for two rounds, time really has moved on, and it is
 * believed. If others come whose times fit, it is odd: after three rounds its record leaves behind
 * them, and is counted, unless their times have come near to it by then, so that it fits as well.
 * If a wrong time was believed after all, records are late for two rounds; then their times are
 * believed instead.
 */
#ifndef PERF_ORDER_ORDER_H
#define PERF_ORDER_ORDER_H

#include "../data/record.h"

struct order;

struct order_ops {
	int (*emit)(void *ctx, struct record *rec);     /* non-zero ends the run and is returned */
	void (*release)(void *ctx, struct record *rec); /* after emit; NULL when nothing to free */
	void *ctx;
};

/*
 * @ops: copied
 * Returns: what order__free() frees.
 */
struct order *order__new(const struct order_ops *ops);

/* Releases, without emitting, the records that are still held. @o may be NULL. */
void order__free(struct order *o);

/*
 * From here on horizons come by order__round(), and times are doubted that are more than a second
 * beyond the newest one, and beyond what @now has gone on since that one came.
 * @now: a clock, in ns; NULL: none
 */
void order__by_rounds(struct order *o, u64 (*now)(void));

/*
 * Takes a record. It is copied; its bytes must live until it is released.
 * Returns: 0, or what emit() has returned.
 */
int order__push(struct order *o, const struct record *rec);

/*
 * To be called by emit().
 * Returns: a record that will be emitted soon, the second one behind the present one of its buffer,
 *         so that what it needs can be prefetched; NULL: none is known. It is order's.
 */
const struct record *order__soon(const struct order *o);

/*
 * Limits the records that are held to @nr, whatever the horizon is: when there are more, the
 * earlier half leaves, and records that belong before them are late. For files in which one wrong
 * time would hold all of it.
 */
void order__hold_at_most(struct order *o, size_t nr);

/*
 * Emits all records with a time of at most @horizon.
 * Returns: 0, or what emit() has returned.
 */
int order__advance(struct order *o, u64 horizon);

/*
 * Ends a round (PERF_RECORD_FINISHED_ROUND, or one pass over all rings), and emits what is safe.
 * Returns: 0, or what emit() has returned.
 */
int order__round(struct order *o);

/* Records with a doubted time leave with the records of this round: there is no room to wait. */
void order__expire_doubted(struct order *o);

/* Emits all records that are held. Returns 0, or what emit() has returned. */
int order__flush(struct order *o);

struct order_counts {
	u64 late;              /* records that came after a younger one had left */
	u64 odd;               /* records whose time cannot be right */
	size_t held, max_held; /* records that are held at present, and the most at a time */
	size_t runs;           /* at present; what a record costs grows with its logarithm */
};

/* Returns: what was counted from the beginning. */
struct order_counts order__counts(const struct order *o);

#endif
