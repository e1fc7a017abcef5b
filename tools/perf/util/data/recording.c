// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "event-name.h"
#include "recording.h"

/* More than any kernel will define for a long time; a larger size is damage. */
#define ATTR_SIZE_MAX 4096
#define ATTR_SIZE_MIN 64

struct recording *recording__new(void)
{
	struct recording *r = xzalloc(sizeof(*r));

	r->arena = arena__new();
	r->same_trailer = true;
	return r;
}

void recording__free(struct recording *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->events.nr; i++) {
		vec__free(&r->events.v[i]->ids);
		free(r->events.v[i]->raw);
	}
	vec__free(&r->events);
	vec__free(&r->cmdline);
	vec__free(&r->build_ids);
	map64__free(&r->event_by_id);
	free(r->tracing_data);
	for (size_t i = 0; i < ARRAY_SIZE(r->opaque); i++)
		free(r->opaque[i].data);
	arena__free(r->arena);
	free(r);
}

void recording__keep_opaque(struct recording *r, enum data_feature f, const void *data,
			    size_t size)
{
	free(r->opaque[f].data);
	r->opaque[f].data = xmemdup(data, size);
	r->opaque[f].size = size;
	recording__set(r, f);
}

/* Position of field @bit among the fields @order that sample_type has; -1 when it is not there. */
static int field_pos(u64 sample_type, u64 bit, const u32 *order, size_t nr)
{
	int pos = 0;

	for (size_t i = 0; i < nr; i++) {
		if (order[i] == bit)
			return sample_type & bit ? pos : -1;
		if (sample_type & order[i])
			pos++;
	}
	return -1;
}

static void layout_sample(struct event_layout *l, u64 type)
{
	static const u32 order[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
		PERF_SAMPLE_ADDR, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,
		PERF_SAMPLE_PERIOD,
	};
	u32 nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		nr += !!(type & order[i]);
	l->sample_size = sizeof(struct perf_event_header) + nr * sizeof(u64);
	l->tid = field_pos(type, PERF_SAMPLE_TID, order, ARRAY_SIZE(order));
	l->time = field_pos(type, PERF_SAMPLE_TIME, order, ARRAY_SIZE(order));
	l->cpu = field_pos(type, PERF_SAMPLE_CPU, order, ARRAY_SIZE(order));
	l->id = field_pos(type, PERF_SAMPLE_IDENTIFIER, order, ARRAY_SIZE(order));
	if (l->id < 0)
		l->id = field_pos(type, PERF_SAMPLE_ID, order, ARRAY_SIZE(order));
}

static void layout_trailer(struct event_layout *l, u64 type, bool sample_id_all)
{
	static const u32 order[] = { /* from the end of the record */
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_CPU, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_ID,
		PERF_SAMPLE_TIME, PERF_SAMPLE_TID,
	};
	int pos[ARRAY_SIZE(order)], nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		pos[i] = sample_id_all && type & order[i] ? ++nr : -1;
	l->trailer_size = nr * sizeof(u64);
	l->trailer_id = pos[0] > 0 ? pos[0] : pos[3];
	l->trailer_cpu = pos[1];
	l->trailer_time = pos[4];
	l->trailer_tid = pos[5];
}

static bool same_trailer(const struct event_layout *a, const struct event_layout *b)
{
	return a->trailer_size == b->trailer_size && a->trailer_id == b->trailer_id &&
	       a->trailer_tid == b->trailer_tid && a->trailer_time == b->trailer_time &&
	       a->trailer_cpu == b->trailer_cpu;
}

void evsel__set_name(struct recording *r, struct evsel *ev, const char *name)
{
	char buf[128];

	if (!name || !*name) {
		attr__name(&ev->attr, buf, sizeof(buf));
		name = buf;
	}
	ev->name = arena__intern(r->arena, name);
}

struct evsel *recording__add_event(struct recording *r, const void *raw, u32 raw_size,
				   const char *name, struct error *err)
{
	struct evsel *ev;
	struct perf_event_attr attr = {};

	if (raw_size < ATTR_SIZE_MIN || raw_size > ATTR_SIZE_MAX || raw_size % 8) {
		error__set(err, -EINVAL, "event %zu has an impossible attr size: %u bytes",
			   r->events.nr, raw_size);
		return NULL;
	}
	memcpy(&attr, raw, min_of((size_t)raw_size, sizeof(attr)));
	ev = arena__alloc(r->arena, sizeof(*ev));
	ev->attr = attr;
	ev->raw = xmemdup(raw, raw_size);
	ev->raw_size = raw_size;
	ev->idx = r->events.nr;
	ev->scale = 1;
	evsel__set_name(r, ev, name);
	layout_sample(&ev->layout, attr.sample_type);
	layout_trailer(&ev->layout, attr.sample_type, attr.sample_id_all);
	if (r->events.nr && !same_trailer(&ev->layout, &r->events.v[0]->layout))
		r->same_trailer = false;
	*vec__push(&r->events) = ev;
	return ev;
}

void evsel__set_bit(struct evsel *ev, enum attr_bit bit, bool on)
{
	attr__set_bit(&ev->attr, bit, on);
	memcpy(ev->raw, &ev->attr, min_of(sizeof(ev->attr), (size_t)ev->raw_size));
}

void recording__add_id(struct recording *r, struct evsel *ev, u64 id)
{
	*vec__push(&ev->ids) = id;
	map64__set(&r->event_by_id, id, ev);
}

struct evsel *recording__event_by_id(const struct recording *r, u64 id)
{
	if (r->events.nr == 1)
		return r->events.v[0];
	return map64__get(&r->event_by_id, id);
}

bool recording__any_samples(const struct recording *r, u64 sample_type)
{
	for (size_t i = 0; i < r->events.nr; i++)
		if (r->events.v[i]->attr.sample_type & sample_type)
			return true;
	return false;
}

bool recording__any_bit(const struct recording *r, enum attr_bit bit)
{
	for (size_t i = 0; i < r->events.nr; i++)
		if (attr__test_bit(&r->events.v[i]->attr, bit))
			return true;
	return false;
}
