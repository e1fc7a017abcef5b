/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The name of an event as perf spells it, made from its attr. Used where a recording brings no
 * name (EVENT_DESC, EVENT_UPDATE), so it has to say what type and config say, no more.
 */
#ifndef PERF_DATA_EVENT_NAME_H
#define PERF_DATA_EVENT_NAME_H

#include "abi.h"

/* "cpu-clock:u", "L1-dcache-loads", "tracepoint:315", "raw 0x1c2"; returns the length. */
int attr__name(const struct perf_event_attr *attr, char *buf, size_t size);

#endif
