// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "../base/hash-bytes.h"
#include "frame-text.h"

/* Bytes: names of a hostile binary may have megabytes. The sum of all texts is limited, too. */
#define PLACE_TEXT_MAX 1024
#define TEXTS_MAX (32u << 20)

#define CACHE_LINE 64

/* So many bytes of a text are in its first cache line. They are copied as one. */
#define LINE_TEXT (CACHE_LINE - offsetof(struct place_text, text))

/* Tails are copied in blocks of so many bytes. */
#define TAIL_BLOCK 32

static struct place_text *text_at(const struct frame_texts *ft, u32 at)
{
	return (void *)(ft->texts + at);
}

/* Returns the text that a note speaks of; NULL: it is of another writer, or of nobody. */
static struct place_text *noted_text(const struct frame_texts *ft, u64 note)
{
	return note >> 32 == ft->writer ? text_at(ft, note) : NULL;
}

static void prefetch_text(const struct frame_texts *ft, u64 note)
{
	__builtin_prefetch(noted_text(ft, note));
}

static void fetch_soon(void *ctx, const struct soon_place *v, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		prefetch_text(ctx, v[i].note);
}

static void forget_texts(struct frame_texts *ft, struct resolver *r, u32 key)
{
	if (!ft->one.buf) {
		textbuf__init(&ft->one, -1);
		ft->texts = xhuge(TEXTS_MAX);
	}
	arena__free(ft->arena);
	ft->arena = arena__new();
	ft->tails.nr = 0;
	*vec__push(&ft->tails) = (struct text_tail){};
	index__clear(&ft->tails_index);
	ft->end = 0;
	ft->writer = resolver__new_writer(r);
	ft->epoch = resolver__epoch(r);
	ft->key = key;
	resolver__on_soon(r, fetch_soon, ft);
}

/* The lengths of the parts of a text. */
struct parts {
	size_t head, all_but_tail, all;
};

/* Makes the text of a frame in .one. */
static struct parts make_one(struct frame_texts *ft, const struct frame *f,
			     const struct frame_printer *p)
{
	struct parts parts;

	ft->one.len = 0;
	p->head(p->ctx, &ft->one, f);
	parts.head = ft->one.len;
	if (!f->is_cookie)
		p->place(p->ctx, &ft->one, f);
	parts.all_but_tail = ft->one.len;
	if (!f->is_cookie && p->tail)
		p->tail(p->ctx, &ft->one, f);
	parts.all = ft->one.len;
	return parts;
}

/* Returns the number of the tail with that text, which is added if it is new; 0: no room. */
static u16 find_tail(struct frame_texts *ft, const char *text, size_t len)
{
	u64 hash = hash_bytes(text, len);
	struct index_probe probe;
	char *copy;

	for (u32 i = index__first(&ft->tails_index, hash, &probe); i;
	     i = index__next(&ft->tails_index, &probe))
		if (ft->tails.v[i].len == len && !memcmp(ft->tails.v[i].text, text, len))
			return i;
	if (ft->tails.nr > UINT16_MAX)
		return 0;
	copy = arena__alloc(ft->arena, align_up(len, TAIL_BLOCK));
	memcpy(copy, text, len);
	*vec__push(&ft->tails) = (struct text_tail){ copy, len };
	index__add(&ft->tails_index, hash, ft->tails.nr - 1);
	return ft->tails.nr - 1;
}

/* Then all texts are forgotten before the next chain. */
static bool is_full(const struct frame_texts *ft)
{
	return ft->end + CACHE_LINE + sizeof(struct place_text) + PLACE_TEXT_MAX > TEXTS_MAX ||
	       arena__bytes(ft->arena) > TEXTS_MAX;
}

static void keep_one(struct frame_texts *ft, struct resolver *r, const struct frame *f,
		     struct parts parts)
{
	const char *text = ft->one.buf;
	u16 tail = 0;
	struct place_text *t;
	size_t len;
	u32 at;

	if (!f->place || parts.all > PLACE_TEXT_MAX || is_full(ft))
		return;
	if (parts.all > parts.all_but_tail)
		tail = find_tail(ft, text + parts.all_but_tail, parts.all - parts.all_but_tail);
	len = tail ? parts.all_but_tail : parts.all;
	at = align_up(ft->end, CACHE_LINE);
	ft->end = at + sizeof(*t) + len;
	t = text_at(ft, at);
	*t = (struct place_text){ .ip = f->ip, .len = len, .head = parts.head, .tail = tail };
	memcpy(t->text, text, len);
	resolver__note(r, f->place, (u64)ft->writer << 32 | at);
}

/* Copies more than that, where it costs less. */
static inline void put_kept(const struct frame_texts *ft, struct textbuf *tb,
			    const struct place_text *t)
{
	const struct text_tail *tail = &ft->tails.v[t->tail];
	char *to = textbuf__room(tb, t->len + tail->len + CACHE_LINE);

	if (likely(t->len <= LINE_TEXT))
		memcpy(to, t->text, LINE_TEXT);
	else
		memcpy(to, t->text, t->len);
	to += t->len;
	for (size_t i = 0; i < tail->len; i += TAIL_BLOCK)
		memcpy(to + i, tail->text + i, TAIL_BLOCK);
	tb->len += t->len + tail->len;
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
		put_kept(ft, tb, t);
		return;
	}
	textbuf__put(tb, ft->one.buf, ft->one.len);
	textbuf__put(tb, t->text + t->head, t->len - t->head);
	textbuf__put(tb, ft->tails.v[t->tail].text, ft->tails.v[t->tail].len);
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
		put_kept(ft, tb, t);
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
		     is_full(ft)))
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
	free(ft->texts);
	vec__free(&ft->tails);
	index__free(&ft->tails_index);
	arena__free(ft->arena);
	textbuf__free(&ft->one);
}
