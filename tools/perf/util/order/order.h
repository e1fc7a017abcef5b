/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The first stage: many buffers in, one stream in time order out.
 *
 * Records are held until the caller says up to which time nothing older can come any more (the
 * horizon), and then leave in time order; equal times keep the order of arrival. A record
 * without a time (NO_TIME) stays where it arrived, behind the newest time seen before it.
 *
 * Two ways to know the horizon:
 *  - a seekable file is scanned once (horizon.h): the smallest time behind each chunk is known
 *    exactly, so the order is perfect and little is held;
 *  - a live recording or a stream uses rounds: what was read before the previous round ended is
 *    safe. A record older than what already left is delivered at once and counted as late.
 *
 * With rounds a time from the future would let out everything, and what comes then were late. So a
 * time far beyond all others (see order__by_rounds()) is doubted, and its record waits apart. Is
 * there nothing else for two rounds, time has gone on, and it is believed. While others come whose
 * times fit, it is odd: after three rounds the record leaves behind them, and is counted; unless
 * they have come near to it by then, so that it fits, too, and leaves when they are there. Should
 * a wrong time be believed, what comes then is late for two rounds, until it is believed instead.
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

struct order *order__new(const struct order_ops *ops);
void order__free(struct order *o); /* releases, without emitting, what is still held */

/*
 * From here on horizons come by order__round(), and times are doubted that are more than a second
 * beyond the newest one, and beyond what @now (ns of any clock; NULL: none) has gone on since that
 * came.
 */
void order__by_rounds(struct order *o, u64 (*now)(void));

int order__push(struct order *o, const struct record *rec);

/*
 * Holds at most @nr records, whatever the horizon is: when there are more, the earlier half leaves,
 * and what was to come before them is late. For files in which one wrong time would hold all of it.
 */
void order__hold_at_most(struct order *o, size_t nr);

/* Emits everything with a time <= @horizon. */
int order__advance(struct order *o, u64 horizon);

/* End of a round (PERF_RECORD_FINISHED_ROUND, or one pass over all rings). */
int order__round(struct order *o);

/* What is doubted leaves with this round's records: there is no room to wait. */
void order__expire_doubted(struct order *o);

int order__flush(struct order *o); /* emits all that is held */

u64 order__late(const struct order *o);  /* records that came after a younger one had left */
u64 order__odd(const struct order *o);   /* records whose time cannot be */
size_t order__held(const struct order *o);
size_t order__max_held(const struct order *o);
size_t order__runs(const struct order *o); /* what a record costs grows with their logarithm */

#endif
