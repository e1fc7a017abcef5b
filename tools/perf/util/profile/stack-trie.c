// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "stack-trie.h"

struct trie_maker {
	struct stack_trie *t;
	struct hist *h;
	const struct frame_link *links; /* from the root on */
	VEC(u32) path;   /* nodes of the present stack, from the root */
	VEC(u32) linked; /* their links */
	VEC(u32) new;    /* links that are not on the path yet, the deepest first */
	u32 context;     /* of the present stack */
};

/* The leader's records, as call trees have only its samples, and where their stacks end. */
struct stack_order {
	const struct hist *h;
	const struct frame_links *links; /* seen from one end of the stacks */
	VEC(u32) records;
	u32 *end;     /* by record: its deepest link */
	u32 *place;   /* by link, in preorder */
	u64 nr_nodes; /* of the trie made of this order */
};

void stack_trie__free(struct stack_trie *t)
{
	vec__free(&t->nodes);
	vec__free(&t->first_place);
	vec__free(&t->end);
}

/* Numbers the links in preorder: those below one link by their frames. */
static u32 *make_places(const struct hist *h, const struct frame_links *l)
{
	const struct frame_link *v = l->v.v;
	u32 *first = xcalloc(h->stacks.frames.nr, sizeof(u32)); /* link of a frame */
	u32 *place = xcalloc(l->v.nr + 1, sizeof(u32));         /* before, its first child */
	u32 *next = xcalloc(l->v.nr + 1, sizeof(u32));          /* of one frame, then a sibling */
	u32 nr = 0, i, following;

	for (i = 1; i < l->v.nr; i++) {
		next[i] = first[v[i].frame];
		first[v[i].frame] = i;
	}
	for (size_t f = h->stacks.frames.nr; f--;)
		for (i = first[f]; i; i = following) {
			following = next[i];
			next[i] = place[v[i].outer];
			place[v[i].outer] = i;
		}
	for (i = place[0]; i; i = following) {
		following = place[i];
		place[i] = ++nr;
		while (i && !following) {
			following = next[i];
			i = v[i].outer;
		}
	}
	free(first);
	free(next);
	return place;
}

static int compare_records(const void *pa, const void *pb, void *ctx)
{
	const struct stack_order *o = ctx;
	u32 a = *(const u32 *)pa, b = *(const u32 *)pb;
	const struct stack_record *r = o->h->stacks.records.v;

	return compare_of(r[a].context, r[b].context) ?:
	       compare_of(o->place[o->end[a]], o->place[o->end[b]]) ?: compare_of(a, b);
}

/* So that equal beginnings are neighbours. */
static void sort_records(struct stack_order *o)
{
	o->place = make_places(o->h, o->links);
	if (o->records.nr)
		qsort_r(o->records.v, o->records.nr, sizeof(u32), compare_records, o);
}

/* One context's stacks share nothing with another's. Records are in the order of contexts. */
static void count_nodes(struct stack_order *o)
{
	const struct stack_record *r = o->h->stacks.records.v;
	u32 *seen = xcalloc(o->links->v.nr + 1, sizeof(u32)); /* contexts */

	for (size_t i = 0; i < o->records.nr; i++) {
		u32 context = r[o->records.v[i]].context;

		for (u32 l = o->end[o->records.v[i]]; l && seen[l] != context;
		     l = o->links->v.v[l].outer) {
			seen[l] = context;
			o->nr_nodes++;
		}
	}
	free(seen);
}

static void order_from_outer(struct stack_order *o)
{
	const struct stack_record *r = o->h->stacks.records.v;

	o->links = &o->h->stacks.links;
	o->end = xcalloc(o->h->stacks.records.nr, sizeof(u32));
	for (u32 i = 1; i < o->h->stacks.records.nr; i++) {
		o->end[i] = r[i].link;
		if (r[i].link && !o->h->contexts.v[r[i].context].event)
			*vec__push(&o->records) = i;
	}
	sort_records(o);
	count_nodes(o);
}

#define INNER_FRAMES 8

/*
 * Returns a number of nodes that a trie from the innermost frames has at least: stacks that differ
 * in some of the first ones share nothing behind these.
 */
static u64 least_from_inner(const struct stack_order *outer)
{
	const struct stack_record *r = outer->h->stacks.records.v;
	const struct frame_link *links = outer->links->v.v;
	struct map64 longest = {};
	u64 nr = 0;

	for (size_t i = 0; i < outer->records.nr; i++) {
		u32 nr_frames = r[outer->records.v[i]].nr_frames, l = r[outer->records.v[i]].link;
		u64 hash = 1, before;

		if (nr_frames <= INNER_FRAMES)
			continue;
		for (u32 k = 0; k < INNER_FRAMES; k++, l = links[l].outer)
			hash = hash_u64(hash ^ links[l].frame);
		before = (uintptr_t)map64__get(&longest, hash);
		if (before >= nr_frames)
			continue;
		nr += nr_frames - (before ?: INNER_FRAMES);
		map64__set(&longest, hash, (void *)(uintptr_t)nr_frames);
	}
	map64__free(&longest);
	return nr;
}

/* The same records, their frames linked from the innermost one on. */
static void order_from_inner(struct stack_order *o, struct frame_links *links,
			     const struct stack_order *outer)
{
	const struct frame_link *v = outer->links->v.v;

	o->links = links;
	o->end = xcalloc(o->h->stacks.records.nr, sizeof(u32));
	for (size_t i = 0; i < outer->records.nr; i++) {
		u32 record = outer->records.v[i];

		*vec__push(&o->records) = record;
		for (u32 l = outer->end[record]; l; l = v[l].outer)
			o->end[record] = frame_links__add(links, o->end[record], v[l].frame);
	}
	sort_records(o);
	count_nodes(o);
}

static void free_order(struct stack_order *o)
{
	vec__free(&o->records);
	free(o->end);
	free(o->place);
}

/* .next_place of a node that is a place, until places are linked. */
#define IS_PLACE 1

static void open_node(struct trie_maker *m, u32 link)
{
	struct stack_trie *t = m->t;
	u32 frame = m->links[link].frame;
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
	*vec__push(&m->linked) = link;
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

/* Moves the path to the end of a stack of @depth frames. */
static void go_to(struct trie_maker *m, u32 link, u32 depth)
{
	while (depth && (depth > m->path.nr || m->linked.v[depth - 1] != link)) {
		*vec__push(&m->new) = link;
		link = m->links[link].outer;
		depth--;
	}
	while (m->path.nr > depth)
		close_node(m);
	m->linked.nr = depth;
	while (m->new.nr)
		open_node(m, m->new.v[--m->new.nr]);
}

static void add_record(struct trie_maker *m, u32 record, u32 link)
{
	const struct stack_record *r = &m->h->stacks.records.v[record];
	struct stack_node *n;

	while (m->context != r->context && m->path.nr)
		close_node(m);
	m->context = r->context;
	go_to(m, link, r->nr_frames);
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
	m->links = o->links->v.v;
	for (size_t i = 0; i < o->records.nr; i++)
		add_record(m, o->records.v[i], o->end[o->records.v[i]]);
	while (m->path.nr)
		close_node(m);
	vec__free(&m->path);
	vec__free(&m->linked);
	vec__free(&m->new);
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
	struct stack_order outer = { .h = h }, inner = { .h = h };
	struct frame_links links = {};

	order_from_outer(&outer);
	if (least_from_inner(&outer) < outer.nr_nodes) {
		order_from_inner(&inner, &links, &outer);
		t->from_inner = inner.nr_nodes < outer.nr_nodes;
	}
	t->downward = t->from_inner != caller_order;
	for (u32 i = 1; i < h->entries.nr; i++)
		h->entries.v[i].seen = 0;
	t->end.nr = h->stacks.records.nr;
	t->end.v = xcalloc(t->end.nr, sizeof(u32));
	*vec__push(&t->nodes) = (struct stack_node){};
	vec__reserve(&t->nodes, 1 + (t->from_inner ? &inner : &outer)->nr_nodes);
	add_records(&m, t->from_inner ? &inner : &outer);
	t->nodes.v[0].end = t->nodes.nr;
	t->first_place.nr = h->entries.nr;
	t->first_place.v = xcalloc(t->first_place.nr, sizeof(u32));
	link_places(t);
	free_order(&outer);
	free_order(&inner);
	frame_links__free(&links);
}
