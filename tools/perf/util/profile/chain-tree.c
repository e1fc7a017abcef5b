// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "../base/hash.h"
#include "chain-tree.h"

void chain_tree__init(struct chain_tree *t, struct hist *h, bool caller_order, u32 max_frames)
{
	*t = (struct chain_tree){
		.hist = h, .caller_order = caller_order,
		.max_frames = max_frames ? max_frames : UINT32_MAX,
	};
}

void chain_tree__free(struct chain_tree *t)
{
	vec__free(&t->nodes);
	vec__free(&t->items);
	vec__free(&t->own);
	vec__free(&t->scratch);
	index__free(&t->index);
	stack_trie__free(&t->trie);
}

/* Returns the child of @parent for a stack's frame, which is made when it is new. */
static u32 find_child(struct chain_tree *t, u32 parent, u32 frame)
{
	u32 shown = t->hist->stacks.frames.v[frame].shown;
	u64 hash = hash_u64((u64)parent << 32 | shown);
	struct index_probe p;
	u32 i;

	for (i = index__first(&t->index, hash, &p); i; i = index__next(&t->index, &p))
		if (t->nodes.v[i].parent == parent && t->nodes.v[i].frame == shown)
			return i;
	i = t->nodes.nr;
	*vec__push(&t->nodes) = (struct chain_node){
		.parent = parent, .frame = shown, .depth = t->nodes.v[parent].depth + 1,
	};
	index__add(&t->index, hash, i);
	return i;
}

/* Adds the samples of an item to the child of @parent for @frame. */
static void push_item(struct chain_tree *t, u32 parent, u32 frame, struct chain_item item)
{
	u32 at = find_child(t, parent, frame);
	struct chain_node *n = &t->nodes.v[at];

	n->nr_all += item.nr;
	n->period_all += item.period;
	item.next = n->first_item;
	*vec__push(&t->items) = item;
	n->first_item = t->items.nr - 1;
	t->nr_steps++;
}

/* Puts the frames of a record, innermost first, behind those in .own, and a zero. */
static void list_own(struct chain_tree *t, const struct stack_record *r)
{
	const struct frame_link *links = t->hist->stacks.links.v.v;

	for (u32 l = r->link; l; l = links[l].outer)
		*vec__push(&t->own) = links[l].frame;
	*vec__push(&t->own) = 0;
}

static void push_own(struct chain_tree *t, u32 parent, u32 at, u32 nr, u64 period)
{
	push_item(t, parent, t->own.v[at],
		  (struct chain_item){ .at_own = at, .nr = nr, .period = period });
}

static void push_stack_node(struct chain_tree *t, u32 parent, u32 at, u32 nr, u64 period)
{
	push_item(t, parent, t->trie.nodes.v[at].frame,
		  (struct chain_item){ .at_node = at, .nr = nr, .period = period });
}

static void expand_own(struct chain_tree *t, u32 at, const struct chain_item *item)
{
	u32 next = t->caller_order ? item->at_own - 1 : item->at_own + 1;

	if (t->own.v[next])
		push_own(t, at, next, item->nr, item->period);
}

static void expand_stack_node(struct chain_tree *t, u32 at, const struct chain_item *item)
{
	const struct stack_node *n = t->trie.nodes.v;
	u32 parent = n[item->at_node].parent;

	if (t->trie.downward)
		for (u32 c = item->at_node + 1; c < n[item->at_node].end; c = n[c].end)
			push_stack_node(t, at, c, n[c].nr, n[c].period);
	else if (parent)
		push_stack_node(t, at, parent, item->nr, item->period);
}

static void expand(struct chain_tree *t, u32 at)
{
	if (t->nodes.v[at].depth >= t->max_frames)
		return;
	for (u32 i = t->nodes.v[at].first_item; i; i = t->items.v[i].next) {
		struct chain_item item = t->items.v[i];

		if (item.at_own)
			expand_own(t, at, &item);
		else
			expand_stack_node(t, at, &item);
	}
}

/*
 * Downward, a place has the samples of all stacks through it. The entry's own samples are among
 * them, but are added with their whole stacks: so they are subtracted where their stacks pass the
 * place.
 */
static void subtract_own(struct chain_tree *t, u32 record, u32 entry, u32 first)
{
	const struct stack_record *r = &t->hist->stacks.records.v[record];
	const struct stack_node *n = t->trie.nodes.v;
	u32 depth = r->nr_frames, place = UINT32_MAX;

	for (u32 i = t->trie.end.v[record]; i; i = n[i].parent) {
		depth--;
		if (n[i].entry == entry)
			place = depth;
	}
	if (place != UINT32_MAX)
		push_own(t, 0, first + (t->trie.from_inner ? place : r->nr_frames - 1 - place),
			 -r->nr, -r->period);
}

/* Adds the entry's own samples with their whole stacks, and those of callees from the entry on. */
static void begin(struct chain_tree *t, const struct hist_entry *e)
{
	const struct stack_record *r = t->hist->stacks.records.v;
	u32 entry = e - t->hist->entries.v, first = 1;

	t->own.nr = 0;
	*vec__push(&t->own) = 0;
	for (u32 i = e->first_record; i; i = r[i].next_in_entry) {
		u32 nr = min_of(r[i].nr_frames, t->max_frames), at = t->own.nr;

		list_own(t, &r[i]);
		if (nr)
			push_own(t, 0, t->caller_order ? at + nr - 1 : at, r[i].nr, r[i].period);
	}
	if (!t->hist->opts.children)
		return;
	if (!t->trie.nodes.nr)
		stack_trie__build(&t->trie, t->hist, t->caller_order);
	for (u32 i = t->trie.first_place.v[entry]; i; i = t->trie.nodes.v[i].next_place)
		push_stack_node(t, 0, i, t->trie.nodes.v[i].nr, t->trie.nodes.v[i].period);
	for (u32 i = t->trie.downward ? e->first_record : 0; i; i = r[i].next_in_entry) {
		subtract_own(t, i, entry, first);
		first += r[i].nr_frames + 1;
	}
}

static void grow(struct chain_tree *t, u64 least, double fraction)
{
	VEC(u64) sums = {}; /* of each node's children */

	for (u32 i = 0; i < t->nodes.nr; i++) {
		u64 needed = least;

		vec__reserve(&sums, i + 1);
		sums.v[i] = 0;
		if (i && fraction > 0)
			needed = ceil(sums.v[t->nodes.v[i].parent] * fraction);
		if (i && t->nodes.v[i].nr_all && t->nodes.v[i].period_all >= needed)
			expand(t, i);
		/* The new nodes are all children of this one. */
		for (u32 c = t->nodes.nr; c-- > i + 1 && t->nodes.v[c].parent == i;)
			sums.v[i] += t->nodes.v[c].period_all;
	}
	vec__free(&sums);
}

/* Where the part of a stack that belongs to the entry's tree begins and ends; innermost first. */
struct part {
	u32 from, nr; /* .nr 0: the entry is not there */
};

static struct part part_of(const struct chain_tree *t, u32 record, u32 entry)
{
	const struct stack_record *r = &t->hist->stacks.records.v[record];
	const struct stack_node *n = t->trie.nodes.v;
	u32 place = UINT32_MAX, at = t->trie.from_inner ? r->nr_frames - 1 : 0;

	if (r->entry == entry)
		return (struct part){ 0, r->nr_frames };
	if (!t->hist->opts.children)
		return (struct part){};
	/* In caller order the outermost of its frames counts, else the innermost. */
	for (u32 i = t->trie.end.v[record]; i; i = n[i].parent) {
		if (n[i].entry == entry && (place == UINT32_MAX || t->caller_order == (at > place)))
			place = at;
		at += t->trie.from_inner ? -1 : 1;
	}
	if (place == UINT32_MAX)
		return (struct part){};
	return t->caller_order ? (struct part){ 0, place + 1 } :
				 (struct part){ place, r->nr_frames - place };
}

/* Adds a folded path, seen from the end that the tree begins with. */
static void add_path(struct chain_tree *t, const struct folding *f, u32 node,
		     const struct stack_record *r)
{
	u32 at = 0, nr;

	t->scratch.nr = 0;
	for (u32 n = node; n; n = f->v.v[n].parent)
		*vec__push(&t->scratch) = n;
	nr = t->scratch.nr;
	for (u32 i = 0; i < min_of(nr, t->max_frames); i++) {
		/* Those next to the entry: of its own samples, the innermost. */
		u32 from = t->caller_order ? min_of(nr, t->max_frames) - 1 - i : i;
		const struct folding_node *n = &f->v.v[t->scratch.v[from]];

		at = find_child(t, at, n->function);
		t->nodes.v[at].nr_all += r->nr;
		t->nodes.v[at].period_all += r->period;
		t->nodes.v[at].times = max_of(t->nodes.v[at].times, n->times);
		t->nr_steps++;
	}
}

static void build_folded(struct chain_tree *t, u32 entry)
{
	const struct stacks *s = &t->hist->stacks;
	struct folding f = {};

	if (!t->trie.nodes.nr)
		stack_trie__build(&t->trie, t->hist, t->caller_order);
	stacks__begin_folding(s, &f);
	for (u32 i = 1; i < s->records.nr; i++) {
		struct part part = t->trie.end.v[i] ? part_of(t, i, entry) : (struct part){};

		if (!part.nr)
			continue;
		t->own.nr = 0;
		list_own(t, &s->records.v[i]);
		add_path(t, &f, stacks__fold(s, &f, t->own.v + part.from, part.nr),
			 &s->records.v[i]);
	}
	folding__free(&f);
}

static int compare_nodes(const void *pa, const void *pb, void *ctx)
{
	const struct chain_tree *t = ctx;
	const struct chain_node *a = &t->nodes.v[*(const u32 *)pa];
	const struct chain_node *b = &t->nodes.v[*(const u32 *)pb];
	const struct stack_frame *fa = &t->hist->stacks.frames.v[a->frame];
	const struct stack_frame *fb = &t->hist->stacks.frames.v[b->frame];
	u64 ia, ib;

	if (a->period_all != b->period_all)
		return a->period_all > b->period_all ? -1 : 1;
	/*
	 * As perf orders equal ones, except that it compares pointers to dsos: mostly the same
	 * order.
	 */
	ia = fa->dso ? fa->dso->id + 1 : 0;
	ib = fb->dso ? fb->dso->id + 1 : 0;
	if (ia == ib) {
		ia = fa->seen;
		ib = fb->seen;
	}
	return ia > ib ? -1 : ia < ib;
}

/* Computes what ends at each node, and links the children of each in the order of the output. */
static void link_up(struct chain_tree *t)
{
	struct chain_node *nodes = t->nodes.v;
	u32 nr = t->nodes.nr;

	for (u32 i = 0; i < nr; i++) {
		nodes[i].nr = nodes[i].nr_all;
		nodes[i].period = nodes[i].period_all;
	}
	for (u32 i = nr; --i;) {
		nodes[nodes[i].parent].nr -= nodes[i].nr_all;
		nodes[nodes[i].parent].period -= nodes[i].period_all;
	}
	vec__reserve(&t->scratch, nr);
	for (u32 i = 0; i < nr; i++)
		t->scratch.v[i] = i;
	qsort_r(t->scratch.v + 1, nr - 1, sizeof(u32), compare_nodes, t);
	/* The largest child is inserted last, at the front. Nodes without samples are left out. */
	for (u32 k = nr; --k;) {
		u32 i = t->scratch.v[k];

		if (!nodes[i].nr_all)
			continue;
		nodes[i].sibling = nodes[nodes[i].parent].child;
		nodes[nodes[i].parent].child = i;
	}
}

void chain_tree__build(struct chain_tree *t, const struct hist_entry *e, u64 least,
		       double fraction)
{
	t->nodes.nr = t->items.nr = 0;
	index__clear(&t->index);
	*vec__push(&t->nodes) = (struct chain_node){};
	*vec__push(&t->items) = (struct chain_item){}; /* index 0 means none */
	if (t->fold)
		build_folded(t, e - t->hist->entries.v);
	else
		begin(t, e);
	for (u32 i = 1; i < t->nodes.nr; i++) {
		if (t->nodes.v[i].parent)
			continue;
		t->nodes.v[0].nr_all += t->nodes.v[i].nr_all;
		t->nodes.v[0].period_all += t->nodes.v[i].period_all;
	}
	if (!t->fold)
		grow(t, least, fraction);
	link_up(t);
}

u32 chain_node__end_of_run(const struct chain_node *nodes, u32 node)
{
	while (!nodes[node].nr && nodes[node].child && !nodes[nodes[node].child].sibling)
		node = nodes[node].child;
	return node;
}
