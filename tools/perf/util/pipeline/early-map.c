// SPDX-License-Identifier: GPL-2.0-only
#include "early-map.h"

#include <stdlib.h>
#include <string.h>

static bool is_wanted(const struct sink *sinks)
{
	sink__for_each(sinks, s)
		if (s->early_maps && s->record)
			return true;
	return false;
}

int early_map__emit(const struct sink *sinks, const struct recording *recording,
		    const struct record *map, u64 time)
{
	size_t size = map->hdr->size;
	const struct event_layout *l;
	struct record rec;
	int ret = 0;
	u8 *copy;

	if (!is_wanted(sinks))
		return 0;
	copy = xmemdup(map->hdr, size);
	rec = (struct record){ .hdr = (void *)copy, .offset = map->offset };
	if (!record__identify(&rec, recording) && rec.time != NO_TIME && rec.event) {
		l = &rec.event->layout;
		memcpy(copy + size - l->trailer_time * sizeof(time), &time, sizeof(time));
		rec.time = time;
		sink__for_each(sinks, s)
			if (!ret && s->early_maps && s->record)
				ret = s->record(s->ctx, &rec);
	}
	free(copy);
	return ret;
}
