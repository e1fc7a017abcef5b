/* SPDX-License-Identifier: GPL-2.0-only */
/* The fixed event names: hardware, software and cache events. */
#ifndef PERF_EVENT_EVENT_NAMES_H
#define PERF_EVENT_EVENT_NAMES_H

#include <linux/perf_event.h>

#include "../base/types.h"

/* Fills type and config; false for any other name. Case does not matter. */
bool event_name__parse(const char *name, struct perf_event_attr *attr);

/* Name number @i, from 0; NULL behind the last. Cache events are left out: they are too many. */
const char *event_name__at(size_t i);

#endif
