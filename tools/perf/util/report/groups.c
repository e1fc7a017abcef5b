// SPDX-License-Identifier: GPL-2.0-only
#include "groups.h"

#include "../profile/hist.h"

void report_groups__read(struct report_groups *g, const struct recording *r, bool given)
{
	u32 nr = r->events.nr;

	event_groups__read(&g->recorded, r);
	if (given && g->shown && !g->recorded.v.nr && nr > 1 && nr <= HIST_EVENTS_MAX)
		g->all = (struct event_group){ .nr = nr };
}

void report_groups__free(struct report_groups *g)
{
	event_groups__free(&g->recorded);
}

const struct event_group *report_groups__of(const struct report_groups *g, u32 event)
{
	const struct event_group *found = NULL;

	if (g->all.nr)
		return &g->all;
	if (g->shown)
		found = event_groups__of(&g->recorded, event);
	return found && found->nr <= HIST_EVENTS_MAX ? found : NULL;
}

u32 report_groups__place(const struct report_groups *g, u32 event)
{
	const struct event_group *found = report_groups__of(g, event);

	return found ? event - found->first : 0;
}
