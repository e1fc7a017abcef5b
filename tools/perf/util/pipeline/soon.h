/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tells sinks of samples before their turn, so that they can prefetch what they will need: see
 * .soon of sink.h.
 */
#ifndef PERF_PIPELINE_SOON_H
#define PERF_PIPELINE_SOON_H

#include "../complete/walk-queue.h"
#include "../order/order.h"
#include "../sink/sink.h"

/* Returns: whether one of @sinks, the first one of them, wants to be told. */
bool soon__is_wanted(const struct sink *sinks);

/* Tells @sinks of a record that waits in a queue. */
void soon__tell(const struct sink *sinks, const struct walk_queue_item *it);

/* The same, of what order__soon() says. @m: where the thread is looked for */
void soon__tell_ordered(const struct sink *sinks, const struct order *o, struct machine *m);

#endif
