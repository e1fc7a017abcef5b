// SPDX-License-Identifier: GPL-2.0-only
#include "ring-side.h"

#include <stdlib.h>
#include <string.h>

/* What the last record of a ring was, if it was a program's. */
struct held {
	u32 size; /* of the payload; 0: it was not */
	u32 pid, tid;
	u64 ip;
	u8 *payload;
};

struct ring_side {
	struct ring_side_opts opts;
	u32 nr_rings;
	struct held *held;
	struct ring_side_stats stats;
};

struct ring_side *ring_side__new(const struct ring_side_opts *opts, u32 nr_rings)
{
	struct ring_side *s = xzalloc(sizeof(*s));

	s->opts = *opts;
	s->opts.room = opts->room ?: RING_SIDE_MAX;
	s->nr_rings = nr_rings;
	s->held = xcalloc(nr_rings, sizeof(*s->held));
	return s;
}

void ring_side__resize(struct ring_side *s, u32 nr_rings)
{
	s->held = xrealloc(s->held, nr_rings * sizeof(*s->held));
	memset(s->held + s->nr_rings, 0, (nr_rings - s->nr_rings) * sizeof(*s->held));
	s->nr_rings = nr_rings;
}

void ring_side__free(struct ring_side *s)
{
	if (!s)
		return;
	for (u32 i = 0; i < s->nr_rings; i++)
		free(s->held[i].payload);
	free(s->held);
	free(s);
}

u32 ring_side__room(const struct ring_side *s)
{
	return s->opts.room;
}

static bool applies(const struct ring_side *s, const struct evsel *event)
{
	if (s->opts.add)
		return event && s->opts.applies(&event->attr);
	return event && attr__has_side_data(&event->attr);
}

bool ring_side__rewrites(const struct ring_side *s, const struct record *rec)
{
	return rec->hdr->type == PERF_RECORD_SAMPLE && s->opts.add && applies(s, rec->event);
}

bool ring_side__hurries(const struct ring_side *s, bool round)
{
	return s->opts.hurries && s->opts.hurries(s->opts.ctx, round);
}

static void drop(struct ring_side *s, struct held *h)
{
	s->stats.unpaired += h->size != 0;
	h->size = 0;
}

static void hold(struct ring_side *s, struct held *h, const struct record *rec)
{
	struct sample output;

	if (sample__parse(&output, rec))
		return;
	if (!h->payload)
		h->payload = xmalloc(s->opts.room);
	h->size = s->opts.make(s->opts.ctx, &output, &h->ip, h->payload);
	h->pid = output.pid;
	h->tid = output.tid;
}

bool ring_side__take(struct ring_side *s, u32 ring, const struct record *rec)
{
	struct held *h = &s->held[ring];

	if (rec->event == s->opts.event && rec->event) {
		drop(s, h);
		hold(s, h, rec);
		return true;
	}
	if (rec->hdr->type == PERF_RECORD_SAMPLE)
		return false;
	drop(s, h);
	if (rec->hdr->type == PERF_RECORD_MMAP2 && s->opts.mapped &&
	    rec->hdr->size >= sizeof(*rec->hdr) + sizeof(u32))
		s->opts.mapped(s->opts.ctx, *(const u32 *)(rec->hdr + 1));
	return false;
}

/* Of an event without a precise ip it is where the program was called, too. */
static bool agrees(const struct held *h, const struct record *rec)
{
	const struct perf_event_attr *attr = &rec->event->attr;
	const u64 *body = (const u64 *)(rec->hdr + 1);

	if (!h->size || h->pid != rec->pid || h->tid != rec->tid)
		return false;
	return attr->precise_ip || !(attr->sample_type & PERF_SAMPLE_IP) ||
	       body[!!(attr->sample_type & PERF_SAMPLE_IDENTIFIER)] == h->ip;
}

static u32 add(struct ring_side *s, struct held *h, const struct record *rec,
	       struct perf_event_header *copy, size_t max)
{
	bool fits = agrees(h, rec);
	int size;

	if (!fits)
		drop(s, h);
	size = s->opts.add(s->opts.ctx, rec, h->payload, h->size, copy, max);
	h->size = 0;
	s->stats.paired += fits && size >= 0;
	s->stats.too_large += size < 0;
	return max_of(size, 0);
}

u32 ring_side__complete(struct ring_side *s, u32 ring, const struct record *rec,
			struct perf_event_header *copy, size_t max)
{
	struct held *h = &s->held[ring];
	int size;

	if (!applies(s, rec->event)) {
		drop(s, h);
		return copy->size;
	}
	if (s->opts.add)
		return add(s, h, rec, copy, max);
	size = side_data__begin(copy, max);
	if (size >= 0 && agrees(h, rec)) {
		size = side_data__add(copy, max, 0, s->opts.kind, h->payload, h->size);
		s->stats.paired += size >= 0;
		s->stats.too_large += size < 0;
		h->size = 0;
		return copy->size;
	}
	drop(s, h);
	s->stats.too_large += size < 0;
	return max_of(size, 0);
}

const struct ring_side_stats *ring_side__stats(const struct ring_side *s)
{
	return &s->stats;
}
