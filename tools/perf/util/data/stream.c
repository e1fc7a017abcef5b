// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "reader-priv.h"

#define BLOCK_SIZE (256 * 1024)

/* Records lie in blocks one behind the other; a block lives as long as one of them. */
struct block {
	struct stream *stream;
	u32 refs;  /* records that are out, and one while it is filled */
	u32 used;
	_Alignas(8) u8 data[BLOCK_SIZE];
};

struct waiting {
	const struct perf_event_header *hdr;
	struct block *block;
};

struct stream {
	struct unpack_source src;
	struct unpacker *unpacker;
	struct block *filling;
	VEC(struct waiting) queue;  /* unpacked and not handed out, from .head */
	size_t head;
	u64 held;
	bool ended;
};

static void block__put(struct block *b)
{
	if (--b->refs)
		return;
	b->stream->held -= sizeof(*b);
	free(b);
}

static struct block *room_for(struct stream *s, size_t size)
{
	if (s->filling && BLOCK_SIZE - s->filling->used >= size)
		return s->filling;
	if (s->filling)
		block__put(s->filling);
	s->filling = xmalloc(sizeof(*s->filling));
	s->filling->stream = s;
	s->filling->refs = 1;
	s->filling->used = 0;
	s->held += sizeof(*s->filling);
	return s->filling;
}

static int put_into_queue(void *ctx, const struct perf_event_header *hdr)
{
	struct stream *s = ctx;
	size_t size = align_up(hdr->size, 8);
	struct block *b = room_for(s, size);
	u8 *p = b->data + b->used;

	memcpy(p, hdr, hdr->size);
	memset(p + hdr->size, 0, size - hdr->size);
	b->used += size;
	b->refs++;
	*vec__push(&s->queue) = (struct waiting){ (const void *)p, b };
	return 0;
}

/* Until something is there to be handed out, or the end. */
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
	/* What is in front of the first data tells about the recording. */
	while (!s->ended && !(s->queue.nr && is_data(s->queue.v[s->queue.nr - 1].hdr)))
		s->ended = unpacker__step(s->unpacker) != UNPACK_AGAIN;
	unpacker__end_of_events(s->unpacker);
	*out = s;
	return 0;
}

void stream__close(struct stream *s)
{
	if (!s)
		return;
	while (s->head < s->queue.nr)
		block__put(s->queue.v[s->head++].block);
	if (s->filling)
		block__put(s->filling);
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
		block__put(s->queue.v[s->head].block);
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
	return s->held;
}

void reader__hold(const struct record *rec)
{
	((struct block *)rec->owner)->refs++;
}

void reader__release(const struct record *rec)
{
	block__put(rec->owner);
}
