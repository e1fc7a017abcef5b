/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of all events of this machine, for completion. */
#ifndef PERF_EVENT_ALL_EVENTS_H
#define PERF_EVENT_ALL_EVENTS_H

#include "../base/vec.h"

typedef VEC(char *) all_events;

/*
 * Lists the fixed names, pmu/name/ from sysfs, and system:name of tracepoints if tracefs is mounted
 * and readable. What cannot be read is left out; nothing is mounted.
 * @out: names are appended; for all_events__free()
 */
void all_events__list(all_events *out);

/* Frees the names and the vector. */
void all_events__free(all_events *names);

#endif
