/* SPDX-License-Identifier: GPL-2.0-only */
/* What tracepoint.c and tracepoint-fields.c know of each other. Internal to these two. */
#ifndef PERF_DATA_TRACEPOINT_PRIV_H
#define PERF_DATA_TRACEPOINT_PRIV_H

#include <traceevent/event-parse.h>

#include "tracepoint.h"

/* Returns: the format of the event with the attr.config @id; NULL when it is unknown. */
struct tep_event *tracepoints__find(const struct tracepoints *t, u64 id);

/*
 * @id: attr.config
 * @raw, @raw_size: the payload of a sample
 * Returns: the same; NULL also when the payload is too short, or places fields beyond its end.
 */
struct tep_event *tracepoints__event(const struct tracepoints *t, u64 id, const void *raw,
				     u32 raw_size);

#endif
