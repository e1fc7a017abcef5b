/* SPDX-License-Identifier: GPL-2.0-only */
/* All events of this machine by name: for `perf list`, and for completion. */
#ifndef PERF_EVENT_ALL_EVENTS_H
#define PERF_EVENT_ALL_EVENTS_H

#include "../base/vec.h"

enum event_kind {
	EVENT_HARDWARE, EVENT_CACHE, EVENT_SOFTWARE, EVENT_PMU, EVENT_TRACEPOINT, EVENT_RAW,
	EVENT_BREAKPOINT,
	EVENT_KIND_NR
};

struct listed_event {
	enum event_kind kind;
	char *name;         /* as -e takes it; of EVENT_RAW and EVENT_BREAKPOINT, how it is made */
	char *unit;         /* the PMU, "software", "tracepoint" ... */
	char *terms;        /* what it means to the PMU: "config=0x1"; NULL: not known */
	const char *counts; /* what it counts, in a few words; NULL: not known */
};

typedef VEC(struct listed_event) all_events;

/*
 * Lists the fixed names, pmu/name/ from sysfs, and system:name of tracepoints if tracefs is mounted
 * and readable, each kind by name. What cannot be read is left out; nothing is mounted.
 * @out: events are appended; for all_events__free(). Tracepoints have no .terms: a file would have
 *       to be read for each
 */
void all_events__list(all_events *out);

/* Frees the events and the vector. */
void all_events__free(all_events *events);

#endif
