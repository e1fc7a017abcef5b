// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "../../../lib/unwind/core/bytes.h"
#include "event-groups.h"

#define NO_NAME "{anon_group}"

void event_groups__read(struct event_groups *g, const struct recording *r)
{
	struct cursor c = cursor__init(r->opaque[FEAT_GROUP_DESC].data,
				       r->opaque[FEAT_GROUP_DESC].size, false);
	u32 nr = cursor__u32(&c), next = 0;

	for (; nr && !c.bad; nr--) {
		u32 room = cursor__u32(&c);
		const char *name = cursor__take(&c, room);
		struct event_group group = { .first = cursor__u32(&c) };

		group.nr = cursor__u32(&c);
		if (c.bad || group.nr < 2 || group.first < next || group.first > r->events.nr ||
		    group.nr > r->events.nr - group.first)
			continue;
		if (room && memchr(name, 0, room) && *name && strcmp(name, NO_NAME))
			group.name = name;
		next = group.first + group.nr;
		*vec__push(&g->v) = group;
	}
}

void event_groups__free(struct event_groups *g)
{
	vec__free(&g->v);
}

const struct event_group *event_groups__of(const struct event_groups *g, u32 event)
{
	for (size_t i = 0; i < g->v.nr; i++)
		if (event >= g->v.v[i].first && event < g->v.v[i].first + g->v.v[i].nr)
			return &g->v.v[i];
	return NULL;
}
