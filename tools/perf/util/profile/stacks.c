// SPDX-License-Identifier: GPL-2.0-only
#include "stacks.h"

void stacks__init(struct stacks *s)
{
	memset(s, 0, sizeof(*s));
	/* Index 0 always means none. */
	*vec__push(&s->frames) = (struct stack_frame){};
	*vec__push(&s->records) = (struct stack_record){};
}

void stacks__free(struct stacks *s)
{
	vec__free(&s->frames);
	vec__free(&s->records);
	vec__free(&s->pool);
	vec__free(&s->first_frames);
	frame_links__free(&s->links);
	index__free(&s->frame_index);
	index__free(&s->record_index);
	map64__free(&s->firsts);
}

static u64 hash_pair(u64 a, u64 b)
{
	return hash_u64(a * 0x9e3779b97f4a7c15ULL ^ b);
}

static u64 frame_hash(const struct stack_frame *f)
{
	return f->ip ? hash_pair((uintptr_t)f->dso, f->ip) : hash_pair((uintptr_t)f->sym, 1);
}

/* Returns the index of a frame; adds it when it is new. @key->ip 0: the function, no address. */
static u32 intern_frame(struct stacks *s, const struct stack_frame *key)
{
	u64 hash = frame_hash(key);
	struct index_probe p;
	u32 i;

	for (i = index__first(&s->frame_index, hash, &p); i; i = index__next(&s->frame_index, &p)) {
		const struct stack_frame *f = &s->frames.v[i];

		if (f->dso == key->dso && f->sym == key->sym && f->ip == key->ip &&
		    f->is_cookie == key->is_cookie)
			return i;
	}
	i = s->frames.nr;
	*vec__push(&s->frames) = *key;
	index__add(&s->frame_index, hash, i);
	return i;
}

/* Returns the first frame with @text, which may be @frame. */
static u32 first_of(struct stacks *s, const char *text, u32 frame)
{
	u32 first = (uintptr_t)map64__get(&s->firsts, (uintptr_t)text);

	if (first)
		return first;
	map64__set(&s->firsts, (uintptr_t)text, (void *)(uintptr_t)frame);
	return frame;
}

u32 stacks__frame(struct stacks *s, const struct frame *f)
{
	bool by_address = s->by_address || s->show_address || !f->loc.sym;
	struct stack_frame key = {
		.dso = f->loc.dso,
		.sym = f->loc.sym,
		.ip = by_address ? f->ip : 0,
		.seen = f->ip,
		.addr = f->loc.dso ? f->loc.addr : f->ip,
		.cpumode = f->cpumode,
		.is_cookie = f->is_cookie,
		.is_return = f->loc.is_return,
		.depth = f->loc.depth,
	};
	u32 frame = intern_frame(s, &key), shown = frame;

	if (s->frames.v[frame].shown)
		return frame;
	if (by_address && f->loc.sym && !s->show_address) {
		key.ip = 0;
		shown = intern_frame(s, &key);
		s->frames.v[shown].shown = shown;
	}
	/* What was inlined into different functions is one in call trees, as in perf. */
	if (f->inlined && !s->show_address)
		shown = first_of(s, f->loc.sym->name, shown);
	if (s->line_of && f->loc.sym)
		shown = first_of(s, s->line_of(s->line_ctx, &s->frames.v[frame]), shown);
	s->frames.v[frame].shown = shown;
	return frame;
}

static u32 find_link(const struct frame_links *l, u32 outer, u32 frame, u64 hash)
{
	struct index_probe p;
	u32 i;

	for (i = index__first(&l->index, hash, &p); i; i = index__next(&l->index, &p))
		if (l->v.v[i].outer == outer && l->v.v[i].frame == frame)
			return i;
	return 0;
}

/*
 * Most stacks end with frames that are theirs alone. So what comes below the latest link is not
 * looked for, and what is right behind the link that it is below is not in the index.
 */
u32 frame_links__add(struct frame_links *l, u32 outer, u32 frame)
{
	u64 hash = hash_u64((u64)outer << 32 | frame);
	u32 i = outer + 1;

	if (i < l->v.nr) {
		if (l->v.v[i].outer == outer && l->v.v[i].frame == frame)
			return i;
		i = find_link(l, outer, frame, hash);
		if (i)
			return i;
	}
	if (!l->v.nr)
		*vec__push(&l->v) = (struct frame_link){};
	i = l->v.nr;
	*vec__push(&l->v) = (struct frame_link){ frame, outer };
	if (i != outer + 1)
		index__add(&l->index, hash, i);
	return i;
}

void frame_links__free(struct frame_links *l)
{
	vec__free(&l->v);
	index__free(&l->index);
}

static u32 find_record(struct stacks *s, const struct stack_record *key)
{
	u64 hash = hash_pair(key->link, (u64)key->context << 32 | key->leaf);
	struct index_probe p;
	u32 i;

	for (i = index__first(&s->record_index, hash, &p); i;
	     i = index__next(&s->record_index, &p)) {
		const struct stack_record *r = &s->records.v[i];

		if (r->context == key->context && r->leaf == key->leaf && r->link == key->link)
			return i;
	}
	i = s->records.nr;
	*vec__push(&s->records) = *key;
	index__add(&s->record_index, hash, i);
	return i;
}

u32 stacks__count(struct stacks *s, u32 context, u32 link, u32 nr_frames, u32 leaf, u32 nr,
		  u64 period)
{
	u32 record = find_record(s, &(struct stack_record){
		.context = context, .leaf = leaf, .link = link, .nr_frames = nr_frames,
	}); /* may move the array */

	s->records.v[record].nr += nr;
	s->records.v[record].period += period;
	return record;
}

void stacks__take_frames(struct stacks *s, const struct stacks *from)
{
	s->by_address = from->by_address;
	s->show_address = from->show_address;
	vec__reserve(&s->frames, from->frames.nr);
	memcpy(s->frames.v, from->frames.v, from->frames.nr * sizeof(*s->frames.v));
	s->frames.nr = from->frames.nr;
	vec__reserve(&s->links.v, from->links.v.nr);
	for (size_t i = 0; i < from->links.v.nr; i++)
		*vec__push(&s->links.v) = from->links.v.v[i];
}

void stacks__make_lists(struct stacks *s)
{
	s->pool.nr = s->first_frames.nr = 0;
	for (size_t i = 0; i < s->records.nr; i++) {
		*vec__push(&s->first_frames) = s->pool.nr;
		for (u32 l = s->records.v[i].link; l; l = s->links.v.v[l].outer)
			*vec__push(&s->pool) = s->links.v.v[l].frame;
	}
}

u64 stacks__nr_deeper(const struct stacks *s, u32 nr_frames)
{
	u64 nr = 0;

	for (size_t i = 1; i < s->records.nr; i++)
		if (s->records.v[i].nr_frames > nr_frames)
			nr += stack_record__samples(&s->records.v[i]);
	return nr;
}

void stacks__begin_folding(const struct stacks *s, struct folding *f)
{
	folding__init(f, s->frames.nr);
	for (u32 i = 1; i < s->frames.nr; i++)
		if (dso__is_of_runtime(s->frames.v[i].dso))
			folding__hold(f, i);
}

u32 stacks__fold(const struct stacks *s, struct folding *f, const u32 *frames, u32 nr)
{
	f->stack.nr = 0;
	while (nr--)
		*vec__push(&f->stack) = s->frames.v[frames[nr]].shown;
	return folding__stack(f, f->stack.v, f->stack.nr);
}
