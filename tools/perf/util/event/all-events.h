/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of all events that there are here, for who wants to choose one. */
#ifndef PERF_EVENT_ALL_EVENTS_H
#define PERF_EVENT_ALL_EVENTS_H

#include "../base/vec.h"

typedef VEC(char *) all_events;

/*
 * The fixed names; pmu/name/ of what sysfs knows; and system:name of tracepoints, as far as tracefs
 * is there and can be read: it is not mounted for that. What cannot be read is left out.
 */
void all_events__list(all_events *out);
void all_events__free(all_events *names);

#endif
