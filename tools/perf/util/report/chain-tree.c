// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "../base/hash.h"
#include "chain-tree.h"

void chain_tree__init(struct chain_tree *t, const struct hist *h, bool caller_order)
{
	*t = (struct chain_tree){ .hist = h, .caller_order = caller_order };
	t->own = xcalloc(h->stacks.nodes.nr, sizeof(*t->own));
}

void chain_tree__free(struct chain_tree *t)
{
	vec__free(&t->nodes);
	vec__free(&t->items);
	vec__free(&t->scratch);
	index__free(&t->index);
	zfree(&t->own);
}

/* The child of @parent for a stack's frame; made when it is new. */
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
	*vec__push(&t->nodes) = (struct chain_node){ .parent = parent, .frame = shown };
	index__add(&t->index, hash, i);
	return i;
}

/* Samples at a stack node come to the tree node @at: they are there or below it. */
static void add_item(struct chain_tree *t, u32 at, struct chain_item item)
{
	struct chain_node *n = &t->nodes.v[at];

	item.next = n->first_item;
	n->first_item = t->items.nr;
	n->nr_all += item.nr;
	n->period_all += item.period;
	*vec__push(&t->items) = item;
}

/* The same, one step down from the tree node @parent. */
static void push_item(struct chain_tree *t, u32 parent, struct chain_item item)
{
	u32 frame = t->hist->stacks.nodes.v[item.node].frame;

	if (item.nr)
		add_item(t, find_child(t, parent, frame), item);
}

/* An item of all samples at or below a stack node: the entry's own, or the others. */
static struct chain_item item_below(const struct chain_tree *t, u32 node, bool own)
{
	const struct stack_node *n = &t->hist->stacks.nodes.v[node];
	const struct chain_share *share = &t->own[node];

	return (struct chain_item){
		.node = node,
		.own = own,
		.nr = own ? share->nr : n->nr - share->nr,
		.period = own ? share->period : n->period - share->period,
	};
}

/* Adds the entry's own samples to t->own on all their ways to the root, or takes them off. */
static void spread_own(struct chain_tree *t, const struct hist_entry *e, bool add)
{
	const struct stacks *s = &t->hist->stacks;

	for (u32 i = e->first_record; i; i = s->records.v[i].next_in_entry) {
		const struct stack_record *r = &s->records.v[i];

		for (u32 n = r->node; n; n = s->nodes.v[n].parent) {
			t->own[n].nr += add ? r->nr : -r->nr;
			t->own[n].period += add ? r->period : -r->period;
		}
	}
}

static void expand_inwards(struct chain_tree *t, u32 at)
{
	const struct stack_node *nodes = t->hist->stacks.nodes.v;

	for (u32 i = t->nodes.v[at].first_item; i; i = t->items.v[i].next) {
		struct chain_item item = t->items.v[i];

		for (u32 c = nodes[item.node].child; c; c = nodes[c].sibling)
			push_item(t, at, item_below(t, c, item.own));
	}
}

static void expand_outwards(struct chain_tree *t, u32 at)
{
	const struct stack_node *nodes = t->hist->stacks.nodes.v;

	for (u32 i = t->nodes.v[at].first_item; i; i = t->items.v[i].next) {
		struct chain_item item = t->items.v[i];

		item.node = nodes[item.node].parent;
		if (!nodes[item.node].is_root)
			push_item(t, at, item);
	}
}

/* Where the tree starts, with whole stacks or from the entry inwards. */
static void begin_inwards(struct chain_tree *t, const struct hist_entry *e)
{
	const struct stack_node *nodes = t->hist->stacks.nodes.v;
	u32 roots = nodes[0].child;

	for (u32 root = e->first_record ? roots : 0; root; root = nodes[root].sibling)
		for (u32 c = t->own[root].nr ? nodes[root].child : 0; c; c = nodes[c].sibling)
			push_item(t, 0, item_below(t, c, true));
	for (u32 n = e->first_node; n; n = nodes[n].next_same)
		if (!nodes[n].outer)
			push_item(t, 0, item_below(t, n, false));
}

/* Own samples from where they end; others from the innermost node of the entry. */
static void begin_outwards(struct chain_tree *t, const struct hist_entry *e)
{
	const struct stacks *s = &t->hist->stacks;
	struct index inner = {};
	struct index_probe p;

	for (u32 i = e->first_record; i; i = s->records.v[i].next_in_entry) {
		const struct stack_record *r = &s->records.v[i];

		if (!s->nodes.v[r->node].is_root)
			push_item(t, 0, (struct chain_item){ .node = r->node, .nr = r->nr,
							     .period = r->period, .own = true });
	}
	for (u32 n = e->first_node; n; n = s->nodes.v[n].next_same)
		if (s->nodes.v[n].outer)
			index__add(&inner, hash_u64(s->nodes.v[n].outer), n);
	for (u32 n = e->first_node; n; n = s->nodes.v[n].next_same) {
		struct chain_item item = item_below(t, n, false);

		for (u32 m = index__first(&inner, hash_u64(n), &p); m; m = index__next(&inner, &p))
			if (s->nodes.v[m].outer == n) {
				item.nr -= item_below(t, m, false).nr;
				item.period -= item_below(t, m, false).period;
			}
		push_item(t, 0, item);
	}
	index__free(&inner);
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
		if (i && t->nodes.v[i].period_all >= needed) {
			if (t->caller_order)
				expand_inwards(t, i);
			else
				expand_outwards(t, i);
		}
		/* New nodes are all children of this one: they follow from where we were. */
		for (u32 c = t->nodes.nr; c-- > i + 1 && t->nodes.v[c].parent == i;)
			sums.v[i] += t->nodes.v[c].period_all;
	}
	vec__free(&sums);
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
	/* Equals: as perf, but it compares pointers to dsos, whose order is only mostly this. */
	ia = fa->dso ? fa->dso->id + 1 : 0;
	ib = fb->dso ? fb->dso->id + 1 : 0;
	if (ia == ib) {
		ia = fa->seen;
		ib = fb->seen;
	}
	return ia > ib ? -1 : ia < ib;
}

/* What ends at each node, and the children of each in the order to show them. */
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
	/* The largest is put in front last. */
	for (u32 k = nr; --k;) {
		u32 i = t->scratch.v[k];

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
	*vec__push(&t->items) = (struct chain_item){}; /* 0 is none */
	spread_own(t, e, true);
	if (t->caller_order)
		begin_inwards(t, e);
	else
		begin_outwards(t, e);
	for (u32 i = 1; i < t->nodes.nr; i++) {
		t->nodes.v[0].nr_all += t->nodes.v[i].nr_all;
		t->nodes.v[0].period_all += t->nodes.v[i].period_all;
	}
	grow(t, least, fraction);
	spread_own(t, e, false);
	link_up(t);
}
