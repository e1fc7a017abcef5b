/* SPDX-License-Identifier: GPL-2.0-only */
/* The events of a recording that perf report shows side by side: --group. */
#ifndef PERF_REPORT_GROUPS_H
#define PERF_REPORT_GROUPS_H

#include "../data/event-groups.h"

struct report_groups {
	bool shown;                  /* as groups, not each event by itself */
	struct event_group all;      /* --group: every event of the recording; .nr 0: not that */
	struct event_groups recorded;
};

/*
 * Takes the groups that were recorded.
 * @given: --group was given: without any, all events are one
 */
void report_groups__read(struct report_groups *g, const struct recording *r, bool given);

/* Frees what was read. */
void report_groups__free(struct report_groups *g);

/* Returns: the events that are shown together with @event, or NULL. */
const struct event_group *report_groups__of(const struct report_groups *g, u32 event);

/* Returns: the place of @event among those that one histogram is of; 0: the first, or alone. */
u32 report_groups__place(const struct report_groups *g, u32 event);

#endif
