// SPDX-License-Identifier: GPL-2.0-only
/* A pipe whose records are handed out while it is read: see reader-priv.h. */
#include "reader-priv.h"
#include "record-pool.h"

struct waiting {
	const struct perf_event_header *hdr;
	struct record_block *block;
};

struct stream {
	struct unpack_source src;
	struct unpacker *unpacker;
	struct record_pool pool;
	VEC(struct waiting) queue;  /* unpacked and not handed out, from .head on */
	size_t head;
	bool ended;
};

static int put_into_queue(void *ctx, const struct perf_event_header *hdr)
{
	struct stream *s = ctx;
	struct waiting *w = vec__push(&s->queue);

	w->hdr = record_pool__add(&s->pool, hdr, &w->block);
	return 0;
}

/* Unpacks until there is something to hand out, or the end. */
static void fill_queue(struct stream *s)
{
	if (s->head == s->queue.nr)
		s->head = s->queue.nr = 0;
	while (s->head == s->queue.nr && !s->ended)
		s->ended = unpacker__step(s->unpacker) != UNPACK_AGAIN;
}

static bool is_data(const struct perf_event_header *hdr)
{
	return hdr->type != USER_RECORD_EVENT_UPDATE;
}

int stream__open(struct stream **out, const struct unpack_source *src, struct recording *rec,
		 struct error *damage)
{
	struct stream *s = xzalloc(sizeof(*s));

	s->src = *src;
	s->unpacker = unpacker__new(&s->src, rec, put_into_queue, s, damage);
	/* Records in front of the first data tell about the recording. */
	while (!s->ended && !(s->queue.nr && is_data(s->queue.v[s->queue.nr - 1].hdr)))
		s->ended = unpacker__step(s->unpacker) != UNPACK_AGAIN;
	unpacker__end_of_events(s->unpacker);
	*out = s;
	return 0;
}

void stream__on_idle(struct stream *s, int (*idle)(void *ctx), void *ctx)
{
	s->src.idle = idle;
	s->src.idle_ctx = ctx;
}

void stream__close(struct stream *s)
{
	if (!s)
		return;
	while (s->head < s->queue.nr)
		record_block__put(s->queue.v[s->head++].block);
	record_pool__close(&s->pool);
	vec__free(&s->queue);
	unpacker__free(s->unpacker);
	free(s);
}

int stream__next(struct stream *s, const struct perf_event_header **hdr, void **owner)
{
	fill_queue(s);
	if (s->head == s->queue.nr) {
		unpacker__end(s->unpacker);
		return 0;
	}
	*hdr = s->queue.v[s->head].hdr;
	*owner = s->queue.v[s->head++].block;
	return 1;
}

static int put_queue(void *ctx, struct unpacker *u)
{
	struct stream *s = ctx;
	int ret = UNPACK_AGAIN;

	for (; s->head < s->queue.nr && ret == UNPACK_AGAIN; s->head++) {
		ret = unpacker__put(u, s->queue.v[s->head].hdr);
		record_block__put(s->queue.v[s->head].block);
	}
	return s->ended && ret == UNPACK_AGAIN ? UNPACK_END : ret;
}

int stream__unpack(struct stream *s, struct segment *seg, u64 *unread, struct error *err)
{
	int ret = unpack_rest_of(s->unpacker, seg, put_queue, s, unread, err);

	stream__close(s);
	return ret;
}

u64 stream__held(const struct stream *s)
{
	return s->pool.held;
}

void reader__hold(const struct record *rec)
{
	record_block__get(rec->owner);
}

void reader__release(const struct record *rec)
{
	record_block__put(rec->owner);
}
