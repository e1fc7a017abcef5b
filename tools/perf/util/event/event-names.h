/* SPDX-License-Identifier: GPL-2.0-only */
/* The fixed event names: hardware, software and cache events. */
#ifndef PERF_EVENT_EVENT_NAMES_H
#define PERF_EVENT_EVENT_NAMES_H

#include <linux/perf_event.h>

#include "../base/types.h"

/* Fills type and config of @attr by a @name in any case. Returns false for any other name. */
bool event_name__parse(const char *name, struct perf_event_attr *attr);

/*
 * Returns: fixed name number @i, from 0; NULL behind the last. Cache events are left out: they are
 *         too many.
 */
const char *event_name__at(size_t i);

#endif
