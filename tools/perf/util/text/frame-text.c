// SPDX-License-Identifier: GPL-2.0-only
#include "frame-text.h"

/* Bytes: names of a hostile binary may have megabytes. The sum of all texts is limited, too. */
#define PLACE_TEXT_MAX 1024
#define POOL_MAX (32u << 20)

static void forget_places(struct frame_texts *ft, u64 epoch, u32 key)
{
	if (!ft->pool.buf) {
		textbuf__init(&ft->pool, -1);
		textbuf__init(&ft->one, -1);
	}
	ft->pool.len = ft->places.nr = 0;
	ft->epoch = epoch;
	ft->key = key;
}

/* Makes the text of a frame in .one. Returns the number of bytes that depend on its address. */
static size_t make_one(struct frame_texts *ft, const struct frame *f, const struct frame_printer *p)
{
	size_t head;

	ft->one.len = 0;
	p->head(p->ctx, &ft->one, f);
	head = ft->one.len;
	if (!f->is_cookie)
		p->place(p->ctx, &ft->one, f);
	return head;
}

static void keep_one(struct frame_texts *ft, const struct frame *f, size_t head)
{
	if (!f->place || ft->one.len > PLACE_TEXT_MAX)
		return;
	while (ft->places.nr <= f->place)
		*vec__push(&ft->places) = (struct place_text){};
	ft->places.v[f->place] = (struct place_text){ f->ip, ft->pool.len, ft->one.len, head };
	textbuf__put(&ft->pool, ft->one.buf, ft->one.len);
}

/* The place is at another address than the last time. */
static void move_place(struct frame_texts *ft, struct textbuf *tb, const struct frame *f,
		       struct place_text *t, const struct frame_printer *p)
{
	char *text = ft->pool.buf + t->at;

	ft->one.len = 0;
	p->head(p->ctx, &ft->one, f);
	if (ft->one.len == t->head) {
		memcpy(text, ft->one.buf, t->head);
		t->ip = f->ip;
	}
	textbuf__put(tb, ft->one.buf, ft->one.len);
	textbuf__put(tb, text + t->head, t->len - t->head);
}

static void put_frame(struct frame_texts *ft, struct textbuf *tb, const struct frame *f,
		      const struct frame_printer *p)
{
	struct place_text *t = f->place < ft->places.nr ? &ft->places.v[f->place] : NULL;

	if (unlikely(!t || !t->len)) {
		keep_one(ft, f, make_one(ft, f, p));
		textbuf__put(tb, ft->one.buf, ft->one.len);
	} else if (unlikely(t->ip != f->ip)) {
		move_place(ft, tb, f, t, p);
	} else {
		textbuf__put(tb, ft->pool.buf + t->at, t->len);
	}
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

/* Returns the number of outermost frames whose text is in @tb already. */
static size_t nr_there(const struct chain_text *c, const struct textbuf *tb,
		       const struct frames *frames, u32 key)
{
	if (c->serial + 1 != frames->serial || c->key != key || c->nr_flushed != tb->nr_flushed)
		return 0;
	return min_of(frames->nr_same, c->lengths.nr);
}

/* Puts the text of @nr frames, and notes in @starts, the last one first, where each begins. */
static void put_frames(struct frame_texts *ft, struct textbuf *tb, const struct frame *f, size_t nr,
		       size_t *starts, const struct frame_printer *p)
{
	for (size_t i = 0; i < nr; i++) {
		if (i && p->separator)
			textbuf__putc(tb, p->separator);
		starts[nr - 1 - i] = tb->len;
		put_frame(ft, tb, &f[i], p);
	}
}

/* Appends again the text of the outermost @nr frames; false: it is not there any more. */
static bool put_again(const struct chain_text *c, struct textbuf *tb, size_t nr)
{
	size_t len = nr ? c->lengths.v[nr - 1] : 0;

	if (tb->nr_flushed != c->nr_flushed || tb->max - tb->len < len)
		return false;
	textbuf__put(tb, tb->buf + c->end - len, len);
	return true;
}

void frame_texts__chain(struct frame_texts *ft, struct textbuf *tb, const struct frames *frames,
			u64 epoch, const struct frame_printer *p)
{
	struct chain_text *c = &ft->chains[frames->memory];
	size_t nr = frames->f.nr, same = nr_there(c, tb, frames, p->key), new = nr - same;
	u64 nr_flushed = tb->nr_flushed;

	if (unlikely(!ft->pool.buf || ft->epoch != epoch || ft->key != p->key ||
		     ft->pool.len > POOL_MAX))
		forget_places(ft, epoch, p->key);
	vec__reserve(&c->lengths, nr);
	fetch_texts(ft, frames->f.v, new);
	put_frames(ft, tb, frames->f.v, new, c->lengths.v + same, p);
	if (new && same && p->separator)
		textbuf__putc(tb, p->separator);
	if (same && !put_again(c, tb, same)) /* has been, or will be, written out meanwhile */
		put_frames(ft, tb, frames->f.v + new, same, c->lengths.v, p);
	/* What is in memory alone can be taken away by its owner at any time. */
	c->lengths.nr = tb->fd >= 0 ? nr : 0;
	for (size_t i = same; i < c->lengths.nr; i++)
		c->lengths.v[i] = tb->len - c->lengths.v[i];
	c->end = tb->len;
	c->serial = frames->serial;
	c->nr_flushed = nr_flushed;
	c->key = p->key;
}

void frame_texts__free(struct frame_texts *ft)
{
	for (size_t i = 0; i < CHAIN_MEMORIES; i++)
		vec__free(&ft->chains[i].lengths);
	textbuf__free(&ft->pool);
	textbuf__free(&ft->one);
	vec__free(&ft->places);
}
