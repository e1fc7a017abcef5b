// SPDX-License-Identifier: GPL-2.0-only
#include "stacks.h"

void stacks__init(struct stacks *s)
{
	memset(s, 0, sizeof(*s));
	/* Index 0 means none everywhere. */
	*vec__push(&s->frames) = (struct stack_frame){};
	*vec__push(&s->nodes) = (struct stack_node){};
	*vec__push(&s->records) = (struct stack_record){};
}

void stacks__free(struct stacks *s)
{
	vec__free(&s->frames);
	vec__free(&s->nodes);
	vec__free(&s->records);
	index__free(&s->frame_index);
	index__free(&s->node_index);
	index__free(&s->record_index);
}

static u64 hash_pair(u64 a, u64 b)
{
	return hash_u64(a * 0x9e3779b97f4a7c15ULL ^ b);
}

static u64 frame_hash(const struct stack_frame *f)
{
	return f->ip ? hash_pair((uintptr_t)f->dso, f->ip) : hash_pair((uintptr_t)f->sym, 1);
}

/* ip 0 in @key: any address of the function. */
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
	};
	u32 frame = intern_frame(s, &key), shown = frame;

	if (s->frames.v[frame].shown)
		return frame;
	if (by_address && f->loc.sym && !s->show_address) {
		key.ip = 0;
		shown = intern_frame(s, &key);
		s->frames.v[shown].shown = shown;
	}
	s->frames.v[frame].shown = shown;
	return frame;
}

static u32 find_node(struct stacks *s, u32 parent, u32 frame)
{
	u64 hash = hash_pair(parent, frame);
	struct index_probe p;
	u32 i;

	for (i = index__first(&s->node_index, hash, &p); i; i = index__next(&s->node_index, &p))
		if (s->nodes.v[i].parent == parent && s->nodes.v[i].frame == frame)
			return i;
	i = s->nodes.nr;
	vec__reserve(&s->nodes, i + 1);
	*vec__push(&s->nodes) = (struct stack_node){
		.parent = parent,
		.frame = frame,
		.is_root = !parent,
		.sibling = s->nodes.v[parent].child,
	};
	s->nodes.v[parent].child = i;
	index__add(&s->node_index, hash, i);
	return i;
}

u32 stacks__root(struct stacks *s, u32 context)
{
	return find_node(s, 0, context);
}

u32 stacks__push(struct stacks *s, u32 parent, u32 frame)
{
	return find_node(s, parent, frame);
}

static u32 find_record(struct stacks *s, u32 node, u32 leaf)
{
	u64 hash = hash_pair(node, leaf);
	struct index_probe p;
	u32 i;

	for (i = index__first(&s->record_index, hash, &p); i;
	     i = index__next(&s->record_index, &p))
		if (s->records.v[i].node == node && s->records.v[i].leaf == leaf)
			return i;
	i = s->records.nr;
	*vec__push(&s->records) = (struct stack_record){
		.node = node,
		.leaf = leaf,
		.next_in_node = s->nodes.v[node].first_record,
	};
	s->nodes.v[node].first_record = i;
	index__add(&s->record_index, hash, i);
	return i;
}

void stacks__count(struct stacks *s, u32 node, u32 leaf, u64 period)
{
	u32 record = find_record(s, node, leaf); /* may move the array */
	struct stack_record *r = &s->records.v[record];

	r->nr++;
	r->period += period;
	s->nodes.v[node].nr++;
	s->nodes.v[node].period += period;
}

void stacks__sum_up(struct stacks *s)
{
	for (u32 i = s->nodes.nr - 1; i; i--) {
		struct stack_node *n = &s->nodes.v[i], *parent = &s->nodes.v[n->parent];
		u16 height = n->height + !n->is_root;

		n->height = height;
		parent->height = max_of(parent->height, height);
		parent->nr += n->nr;
		parent->period += n->period;
	}
}
