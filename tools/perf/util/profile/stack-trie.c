// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "stack-trie.h"

struct trie_maker {
	struct stack_trie *t;
	struct hist *h;
	VEC(u32) path; /* nodes of the present stack, from the root */
	u32 context;   /* of the present stack */
};

/* Records sorted by their stacks, seen from one end, so that equal beginnings are neighbours. */
struct stack_order {
	const struct hist *h;
	bool from_inner;
	VEC(u32) records;
	u64 nr_nodes; /* of the trie made of this order */
};

void stack_trie__free(struct stack_trie *t)
{
	vec__free(&t->nodes);
	vec__free(&t->first_place);
	vec__free(&t->end);
}

/* The frame of @r's stack at @depth, counted from 0 at the trie's root. */
static u32 frame_at(const struct hist *h, const struct stack_record *r, bool from_inner, u32 depth)
{
	return stacks__frames_of(&h->stacks, r)[from_inner ? depth : r->nr_frames - 1 - depth];
}

/* How many frames two stacks have in common from the root on; none with different contexts. */
static u32 nr_common(const struct stack_order *o, const struct stack_record *a,
		     const struct stack_record *b)
{
	u32 nr = a->context == b->context ? min_of(a->nr_frames, b->nr_frames) : 0, i = 0;

	while (i < nr &&
	       frame_at(o->h, a, o->from_inner, i) == frame_at(o->h, b, o->from_inner, i))
		i++;
	return i;
}

static int compare_records(const void *pa, const void *pb, void *ctx)
{
	const struct stack_order *o = ctx;
	u32 ia = *(const u32 *)pa, ib = *(const u32 *)pb, common;
	const struct stack_record *a = &o->h->stacks.records.v[ia];
	const struct stack_record *b = &o->h->stacks.records.v[ib];

	if (a->context != b->context)
		return a->context < b->context ? -1 : 1;
	common = nr_common(o, a, b);
	if (common < a->nr_frames && common < b->nr_frames)
		return frame_at(o->h, a, o->from_inner, common) <
		       frame_at(o->h, b, o->from_inner, common) ? -1 : 1;
	if (a->nr_frames != b->nr_frames)
		return a->nr_frames < b->nr_frames ? -1 : 1;
	return ia < ib ? -1 : ia > ib;
}

/* Sorts the records of the leader: call trees have only its samples. */
static void sort_records(struct stack_order *o)
{
	const struct stack_record *r = o->h->stacks.records.v;

	for (u32 i = 1; i < o->h->stacks.records.nr; i++)
		if (r[i].nr_frames && !o->h->contexts.v[r[i].context].event)
			*vec__push(&o->records) = i;
	if (o->records.nr)
		qsort_r(o->records.v, o->records.nr, sizeof(u32), compare_records, o);
	for (size_t i = 0; i < o->records.nr; i++)
		o->nr_nodes += r[o->records.v[i]].nr_frames -
			       (i ? nr_common(o, &r[o->records.v[i - 1]], &r[o->records.v[i]]) : 0);
}

/* .next_place of a node that is a place, until places are linked. */
#define IS_PLACE 1

static void open_node(struct trie_maker *m, u32 frame)
{
	struct stack_trie *t = m->t;
	u32 entry = hist__entry_of(m->h, m->context, frame);
	struct hist_entry *e = &m->h->entries.v[entry];

	/* .seen counts the nodes of the path that belong to the entry. */
	*vec__push(&t->nodes) = (struct stack_node){
		.frame = frame,
		.entry = entry,
		.parent = m->path.nr ? m->path.v[m->path.nr - 1] : 0,
		.next_place = t->downward && !e->seen++ ? IS_PLACE : 0,
	};
	*vec__push(&m->path) = t->nodes.nr - 1;
}

/* Ends the last node of the path: its samples count for its parent, too. */
static void close_node(struct trie_maker *m)
{
	struct stack_node *n = &m->t->nodes.v[m->path.v[--m->path.nr]];
	struct stack_node *above = &m->t->nodes.v[n->parent];

	n->end = m->t->nodes.nr;
	if (!m->t->downward)
		return;
	m->h->entries.v[n->entry].seen--;
	above->nr += n->nr;
	above->period += n->period;
}

/* Upward: for each entry on the path, a record counts at the node farthest from the root. */
static void count_farthest(struct trie_maker *m, u32 record)
{
	const struct stack_record *r = &m->h->stacks.records.v[record];

	for (u32 i = m->path.nr; i--;) {
		struct stack_node *n = &m->t->nodes.v[m->path.v[i]];
		struct hist_entry *e = &m->h->entries.v[n->entry];

		if (e->seen == record || n->entry == r->entry)
			continue;
		e->seen = record;
		n->nr += r->nr;
		n->period += r->period;
		n->next_place = IS_PLACE;
	}
}

/* Adds a record. Its first @common frames are those of the previous record. */
static void add_record(struct trie_maker *m, u32 record, u32 common)
{
	const struct stack_record *r = &m->h->stacks.records.v[record];
	struct stack_node *n;

	while (m->path.nr > common)
		close_node(m);
	m->context = r->context;
	while (m->path.nr < r->nr_frames)
		open_node(m, frame_at(m->h, r, m->t->from_inner, m->path.nr));
	m->t->end.v[record] = m->path.v[m->path.nr - 1];
	n = &m->t->nodes.v[m->t->end.v[record]];
	if (m->t->downward) {
		n->nr += r->nr;
		n->period += r->period;
	} else {
		count_farthest(m, record);
	}
}

static void add_records(struct trie_maker *m, const struct stack_order *o)
{
	const struct stack_record *r = m->h->stacks.records.v;

	for (size_t i = 0; i < o->records.nr; i++)
		add_record(m, o->records.v[i],
			   i ? nr_common(o, &r[o->records.v[i - 1]], &r[o->records.v[i]]) : 0);
	while (m->path.nr)
		close_node(m);
}

static void link_places(struct stack_trie *t)
{
	for (u32 i = t->nodes.nr; --i;) {
		struct stack_node *n = &t->nodes.v[i];

		if (n->next_place != IS_PLACE)
			continue;
		n->next_place = t->first_place.v[n->entry];
		t->first_place.v[n->entry] = i;
	}
}

void stack_trie__build(struct stack_trie *t, struct hist *h, bool caller_order)
{
	struct trie_maker m = { .t = t, .h = h };
	struct stack_order outer = { .h = h }, inner = { .h = h, .from_inner = true };

	sort_records(&outer);
	sort_records(&inner);
	t->from_inner = inner.nr_nodes < outer.nr_nodes;
	t->downward = t->from_inner != caller_order;
	for (u32 i = 1; i < h->entries.nr; i++)
		h->entries.v[i].seen = 0;
	t->end.nr = h->stacks.records.nr;
	t->end.v = xcalloc(t->end.nr, sizeof(u32));
	*vec__push(&t->nodes) = (struct stack_node){};
	add_records(&m, t->from_inner ? &inner : &outer);
	t->nodes.v[0].end = t->nodes.nr;
	t->first_place.nr = h->entries.nr;
	t->first_place.v = xcalloc(t->first_place.nr, sizeof(u32));
	link_places(t);
	vec__free(&outer.records);
	vec__free(&inner.records);
	vec__free(&m.path);
}
