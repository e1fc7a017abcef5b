// SPDX-License-Identifier: GPL-2.0-only
#include "frame-text.h"

/* Bytes: names of a hostile binary may have megabytes. The sum of all texts is limited, too. */
#define PLACE_TEXT_MAX 1024
#define TEXTS_MAX (32u << 20)

static struct place_text *text_at(const struct frame_texts *ft, u32 at)
{
	return (void *)(ft->blocks.v[at / HUGE_PAGE] + at % HUGE_PAGE);
}

/* Returns the text that a note speaks of; NULL: it is of another writer, or of nobody. */
static struct place_text *noted_text(const struct frame_texts *ft, u64 note)
{
	return note >> 32 == ft->writer ? text_at(ft, note) : NULL;
}

/* Texts of different places are in different cache lines. */
static void prefetch_text(const struct frame_texts *ft, u64 note)
{
	const struct place_text *t = noted_text(ft, note);

	__builtin_prefetch(t);
	__builtin_prefetch((const char *)t + 64);
}

static void fetch_soon(void *ctx, const struct soon_place *v, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		prefetch_text(ctx, v[i].note);
}

static void forget_texts(struct frame_texts *ft, struct resolver *r, u32 key)
{
	if (!ft->one.buf)
		textbuf__init(&ft->one, -1);
	ft->end = 0;
	ft->writer = resolver__new_writer(r);
	ft->epoch = resolver__epoch(r);
	ft->key = key;
	resolver__on_soon(r, fetch_soon, ft);
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

/* Room for @size bytes, less than a block. Returns where that is. */
static u32 take_room(struct frame_texts *ft, size_t size)
{
	u32 at = align_up(ft->end, sizeof(u64));

	if (at / HUGE_PAGE != (at + size - 1) / HUGE_PAGE)
		at = align_up(at, HUGE_PAGE);
	if (at / HUGE_PAGE == ft->blocks.nr)
		*vec__push(&ft->blocks) = xhuge(HUGE_PAGE);
	ft->end = at + size;
	return at;
}

static void keep_one(struct frame_texts *ft, struct resolver *r, const struct frame *f,
		     size_t head)
{
	size_t len = ft->one.len;
	struct place_text *t;
	u32 at;

	if (!f->place || len > PLACE_TEXT_MAX)
		return;
	at = take_room(ft, sizeof(*t) + len);
	t = text_at(ft, at);
	*t = (struct place_text){ .ip = f->ip, .len = len, .head = head };
	memcpy(t->text, ft->one.buf, len);
	resolver__note(r, f->place, (u64)ft->writer << 32 | at);
}

/* The place is at another address than the last time. */
static void move_place(struct frame_texts *ft, struct textbuf *tb, const struct frame *f,
		       struct place_text *t, const struct frame_printer *p)
{
	ft->one.len = 0;
	p->head(p->ctx, &ft->one, f);
	if (ft->one.len == t->head) {
		memcpy(t->text, ft->one.buf, t->head);
		t->ip = f->ip;
	}
	textbuf__put(tb, ft->one.buf, ft->one.len);
	textbuf__put(tb, t->text + t->head, t->len - t->head);
}

static void put_frame(struct frame_texts *ft, struct resolver *r, struct textbuf *tb,
		      const struct frame *f, const struct frame_printer *p)
{
	struct place_text *t = noted_text(ft, f->note);

	/* Perhaps it was left there since the frame was made. */
	if (unlikely(!t && f->place))
		t = noted_text(ft, resolver__noted(r, f->place));
	if (unlikely(!t)) {
		keep_one(ft, r, f, make_one(ft, f, p));
		textbuf__put(tb, ft->one.buf, ft->one.len);
	} else if (unlikely(t->ip != f->ip)) {
		move_place(ft, tb, f, t, p);
	} else {
		textbuf__put(tb, t->text, t->len);
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
static void put_frames(struct frame_texts *ft, struct resolver *r, struct textbuf *tb,
		       const struct frame *f, size_t nr, size_t *starts,
		       const struct frame_printer *p)
{
	for (size_t i = 0; i < nr; i++) {
		if (i && p->separator)
			textbuf__putc(tb, p->separator);
		starts[nr - 1 - i] = tb->len;
		put_frame(ft, r, tb, &f[i], p);
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
			struct resolver *r, const struct frame_printer *p)
{
	struct chain_text *c = &ft->chains[frames->memory];
	size_t nr = frames->f.nr, same = nr_there(c, tb, frames, p->key), new = nr - same;
	u64 nr_flushed = tb->nr_flushed;

	if (unlikely(!ft->writer || ft->epoch != resolver__epoch(r) || ft->key != p->key ||
		     ft->end > TEXTS_MAX))
		forget_texts(ft, r, p->key);
	vec__reserve(&c->lengths, nr);
	for (size_t i = 0; i < new; i++)
		prefetch_text(ft, frames->f.v[i].note);
	put_frames(ft, r, tb, frames->f.v, new, c->lengths.v + same, p);
	if (new && same && p->separator)
		textbuf__putc(tb, p->separator);
	if (same && !put_again(c, tb, same)) /* has been, or will be, written out meanwhile */
		put_frames(ft, r, tb, frames->f.v + new, same, c->lengths.v, p);
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
	for (size_t i = 0; i < ft->blocks.nr; i++)
		free(ft->blocks.v[i]);
	vec__free(&ft->blocks);
	textbuf__free(&ft->one);
}
