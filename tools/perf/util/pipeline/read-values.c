// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "read-values.h"

/* Returns what was counted since the last sample. */
static u64 advance(struct read_values *r, const struct whole_sample *ws, u64 id, u64 value)
{
	u64 key = ws->rec->event->attr.inherit ? hash_u64(id) ^ ws->s->tid : id, period;
	u64 *last = map64__get(&r->last, key);

	if (!last) {
		last = xzalloc(sizeof(*last));
		map64__set(&r->last, key, last);
	}
	period = value - *last;
	*last = value;
	return period;
}

static int deliver_one(struct read_values *r, const struct recording *recording,
		       const struct whole_sample *ws, u64 id, u64 value,
		       const struct sink *first)
{
	struct evsel *event = recording__event_by_id(recording, id);
	struct whole_sample one = *ws;
	struct record rec = *ws->rec;
	struct sample s = *ws->s;
	int ret = 0;

	if (!event)
		return 0;
	s.id = id;
	s.period = advance(r, ws, id, value);
	if (!s.period)
		return 0;
	rec.event = event;
	one.rec = &rec;
	one.s = &s;
	sink__for_each(first, sink)
		if (!ret && sink->sample && sink->split_reads)
			ret = sink->sample(sink->ctx, &one);
	return ret;
}

int read_values__deliver(struct read_values *r, const struct recording *recording,
			 const struct whole_sample *ws, const struct sink *first)
{
	u64 format = ws->rec->event->attr.read_format, nr = 1;
	const u64 *v = ws->s->read, *end = v + ws->s->read_size / sizeof(*v);
	size_t times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		       !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	size_t id_at = 1, size = 2 + !!(format & PERF_FORMAT_LOST);
	int ret = 0;

	if (format & PERF_FORMAT_GROUP) {
		nr = *v++;
		v += times;
	} else {
		/* The times are between the value and its id. */
		id_at += times;
		size += times;
	}
	for (; !ret && nr && v + size <= end; nr--, v += size)
		ret = deliver_one(r, recording, ws, v[id_at], v[0], first);
	return ret;
}

void read_values__free(struct read_values *r)
{
	map64__for_each(&r->last, slot)
		free(slot->value);
	map64__free(&r->last);
}
