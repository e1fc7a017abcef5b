// SPDX-License-Identifier: GPL-2.0-only
#include "frame-text.h"

/* Bytes: names of a hostile binary may have megabytes. The sum of all texts is limited, too. */
#define PLACE_TEXT_MAX 1024
#define POOL_MAX (32u << 20)
#define CHAIN_TEXT_MAX (64u << 10)

static void forget_places(struct frame_texts *ft, u64 epoch, u32 key)
{
	if (!ft->pool.buf)
		textbuf__init(&ft->pool, -1);
	ft->pool.len = ft->places.nr = 0;
	ft->epoch = epoch;
	ft->key = key;
}

void frame_texts__place(struct frame_texts *ft, struct textbuf *tb, const struct frame *f,
			u64 epoch, u32 key, frame_text_fn put, void *ctx)
{
	size_t at, len;

	if (unlikely(!ft->pool.buf || ft->epoch != epoch || ft->key != key ||
		     ft->pool.len > POOL_MAX))
		forget_places(ft, epoch, key);
	if (likely(f->place < ft->places.nr && ft->places.v[f->place].len)) {
		textbuf__put(tb, ft->pool.buf + ft->places.v[f->place].at,
			     ft->places.v[f->place].len);
		return;
	}
	at = ft->pool.len;
	put(ctx, &ft->pool, f);
	len = ft->pool.len - at;
	textbuf__put(tb, ft->pool.buf + at, len);
	if (!f->place || len > PLACE_TEXT_MAX) {
		ft->pool.len = at;
		return;
	}
	while (ft->places.nr <= f->place)
		*vec__push(&ft->places) = (struct place_text){};
	ft->places.v[f->place] = (struct place_text){ at, len };
}

/* Returns room for @n bytes in front of the @len bytes of the text. */
static char *room_in_front(struct chain_text *c, size_t len, size_t n)
{
	size_t max = max_of(c->max * 2, align_up(len + n, 4096));
	char *buf;

	if (len + n > c->max) {
		buf = xmalloc(max);
		if (len)
			memcpy(buf + max - len, c->buf + c->max - len, len);
		free(c->buf);
		c->buf = buf;
		c->max = max;
	}
	return c->buf + c->max - len - n;
}

/* Prefetches the texts of the places of @nr frames, which are in different cache lines. */
static void fetch_texts(const struct frame_texts *ft, const struct frame *f, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (f[i].place < ft->places.nr)
			__builtin_prefetch(&ft->places.v[f[i].place]);
	for (size_t i = 0; i < nr; i++) {
		if (f[i].place < ft->places.nr) {
			const char *text = ft->pool.buf + ft->places.v[f[i].place].at;

			__builtin_prefetch(text);
			__builtin_prefetch(text + 64);
		}
	}
}

/* Puts the texts of the first @nr frames in front of the text. False: they are too long. */
static bool put_in_front(struct frame_texts *ft, struct chain_text *c, const struct frames *frames,
			 size_t nr, size_t *len, frame_text_fn put, void *ctx)
{
	while (nr-- > 0) {
		ft->one.len = 0;
		put(ctx, &ft->one, &frames->f.v[nr]);
		if (*len + ft->one.len > CHAIN_TEXT_MAX)
			return false;
		memcpy(room_in_front(c, *len, ft->one.len), ft->one.buf, ft->one.len);
		*len += ft->one.len;
		*vec__push(&c->lengths) = *len;
	}
	return true;
}

void frame_texts__chain(struct frame_texts *ft, struct textbuf *tb, const struct frames *frames,
			u32 key, size_t skip, frame_text_fn put, void *ctx)
{
	struct chain_text *c = &ft->chains[frames->memory];
	bool goes_on = c->serial + 1 == frames->serial && c->key == key;
	size_t nr = frames->f.nr, same = goes_on ? min_of(frames->nr_same, c->lengths.nr) : 0;
	size_t len = same ? c->lengths.v[same - 1] : 0;

	if (!ft->one.buf)
		textbuf__init(&ft->one, -1);
	c->lengths.nr = same;
	c->serial = frames->serial;
	c->key = key;
	fetch_texts(ft, frames->f.v, nr - same);
	if (put_in_front(ft, c, frames, nr - same, &len, put, ctx)) {
		if (len)
			textbuf__put(tb, c->buf + c->max - len + skip, len - skip);
		return;
	}
	c->lengths.nr = 0;
	for (size_t i = 0; i < nr; i++) {
		ft->one.len = 0;
		put(ctx, &ft->one, &frames->f.v[i]);
		textbuf__put(tb, ft->one.buf + skip, ft->one.len - skip);
		skip = 0;
	}
}

void frame_texts__free(struct frame_texts *ft)
{
	for (size_t i = 0; i < CHAIN_MEMORIES; i++) {
		free(ft->chains[i].buf);
		vec__free(&ft->chains[i].lengths);
	}
	textbuf__free(&ft->pool);
	textbuf__free(&ft->one);
	vec__free(&ft->places);
}
