/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which events of a recording were groups: the feature GROUP_DESC, whose format is in the kernel's
 * tools/perf/Documentation/perf.data-file-format.txt.
 */
#ifndef PERF_DATA_EVENT_GROUPS_H
#define PERF_DATA_EVENT_GROUPS_H

#include "recording.h"

struct event_group {
	const char *name; /* borrowed from the recording; NULL: it has none */
	u32 first, nr;    /* of recording.events; at least two */
};

/* In the order of their events, without overlaps; what does not fit the recording is left out. */
struct event_groups {
	VEC(struct event_group) v;
};

/*
 * Reads the groups of a recording.
 * @g: filled; for event_groups__free()
 * @r: borrowed
 */
void event_groups__read(struct event_groups *g, const struct recording *r);

/* Frees what event_groups__read() has allocated. */
void event_groups__free(struct event_groups *g);

/* Returns: the group of the event with the index @event, or NULL. */
const struct event_group *event_groups__of(const struct event_groups *g, u32 event);

#endif
