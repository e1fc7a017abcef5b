/* SPDX-License-Identifier: GPL-2.0-only */
/* The fixed event names: hardware, software and cache events. */
#ifndef PERF_EVENT_EVENT_NAMES_H
#define PERF_EVENT_EVENT_NAMES_H

#include <linux/perf_event.h>

#include "../../../lib/unwind/core/types.h"

/* Fills type and config of @attr by a @name in any case. Returns false for any other name. */
bool event_name__parse(const char *name, struct perf_event_attr *attr);

struct event_name {
	const char *name;
	u32 type, config;   /* of perf_event_attr */
	const char *counts; /* what it counts, in a few words */
};

/*
 * Returns: fixed name number @i, from 0; NULL behind the last. Cache events are left out: they are
 *         too many.
 */
const struct event_name *event_name__at(size_t i);

#define CACHE_EVENT_NAME_MAX 32

/*
 * Writes the name of cache event number @i, from 0, each event once: "L1-dcache-loads".
 * @name: out, of CACHE_EVENT_NAME_MAX bytes
 * Returns: false behind the last.
 */
bool event_name__cache_at(size_t i, char *name);

#endif
