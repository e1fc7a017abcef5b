/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The name of an event as perf spells it, made from its attr: type and config. For recordings that
 * do not name their events (EVENT_DESC, EVENT_UPDATE).
 */
#ifndef PERF_DATA_EVENT_NAME_H
#define PERF_DATA_EVENT_NAME_H

#include "abi.h"

/*
 * Writes the name of an event: "cpu-clock:u", "L1-dcache-loads", "tracepoint:315", "raw 0x1c2".
 * Returns: its length, as snprintf() does.
 */
int attr__name(const struct perf_event_attr *attr, char *buf, size_t size);

#endif
