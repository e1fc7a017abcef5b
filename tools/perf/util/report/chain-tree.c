// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "../base/hash.h"
#include "chain-tree.h"

void chain_tree__init(struct chain_tree *t, const struct hist *h, bool caller_order)
{
	*t = (struct chain_tree){ .hist = h, .caller_order = caller_order };
}

void chain_tree__free(struct chain_tree *t)
{
	vec__free(&t->nodes);
	vec__free(&t->scratch);
	index__free(&t->index);
}

/* The child of @parent for a stack's frame; made when it is new. */
static u32 chain_tree__push(struct chain_tree *t, u32 parent, u32 frame)
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

static void chain_tree__count(struct chain_tree *t, u32 node, u32 nr, u64 period)
{
	t->nodes.v[node].nr += nr;
	t->nodes.v[node].period += period;
}

/* The way from the root to @node. */
static u32 push_path_inwards(struct chain_tree *t, u32 node)
{
	const struct stack_node *nodes = t->hist->stacks.nodes.v;
	u32 at = 0;

	t->scratch.nr = 0;
	for (u32 n = node; !nodes[n].is_root; n = nodes[n].parent)
		*vec__push(&t->scratch) = nodes[n].frame;
	for (size_t i = t->scratch.nr; i--;)
		at = chain_tree__push(t, at, t->scratch.v[i]);
	return at;
}

static u32 push_path_outwards(struct chain_tree *t, u32 node)
{
	const struct stack_node *nodes = t->hist->stacks.nodes.v;
	u32 at = 0;

	for (u32 n = node; !nodes[n].is_root; n = nodes[n].parent)
		at = chain_tree__push(t, at, nodes[n].frame);
	return at;
}

/* Samples whose own ip belongs to the entry. A sample without a chain adds nothing. */
static void add_own_samples(struct chain_tree *t, const struct hist_entry *e)
{
	const struct stacks *s = &t->hist->stacks;

	for (u32 i = e->first_record; i; i = s->records.v[i].next_in_entry) {
		const struct stack_record *r = &s->records.v[i];
		u32 at;

		if (s->nodes.v[r->node].is_root)
			continue;
		at = t->caller_order ? push_path_inwards(t, r->node) :
				       push_path_outwards(t, r->node);
		chain_tree__count(t, at, r->nr, r->period);
	}
}

/* Samples that end at the stack node @n, without those of the entry @not. */
static void count_others(struct chain_tree *t, u32 at, const struct stack_node *n, u32 not)
{
	const struct stacks *s = &t->hist->stacks;

	for (u32 i = n->first_record; i; i = s->records.v[i].next_in_node)
		if (s->records.v[i].entry != not)
			chain_tree__count(t, at, s->records.v[i].nr, s->records.v[i].period);
}

/* All that is below @top, as a walk with the place in our tree kept on a stack of indices. */
static void add_callees(struct chain_tree *t, u32 top, u32 entry)
{
	const struct stack_node *nodes = t->hist->stacks.nodes.v;
	u32 at = top;

	t->scratch.nr = 0;
	*vec__push(&t->scratch) = chain_tree__push(t, 0, nodes[top].frame);
	for (;;) {
		count_others(t, t->scratch.v[t->scratch.nr - 1], &nodes[at], entry);
		if (nodes[at].child) {
			at = nodes[at].child;
		} else {
			while (at != top && !nodes[at].sibling) {
				at = nodes[at].parent;
				t->scratch.nr--;
			}
			if (at == top)
				return;
			at = nodes[at].sibling;
			t->scratch.nr--;
		}
		*vec__push(&t->scratch) = chain_tree__push(t, t->scratch.v[t->scratch.nr - 1],
							   nodes[at].frame);
	}
}

/*
 * What is below @n, but not below another node of the same entry inside it: those samples are
 * of that one. Samples of the entry itself are added elsewhere.
 */
static void count_innermost(const struct hist *h, u32 node, u32 entry, u32 *nr, u64 *period)
{
	const struct stacks *s = &h->stacks;
	const struct stack_node *nodes = s->nodes.v;
	u32 at = node;

	*nr = 0;
	*period = 0;
	for (;;) {
		bool inside = at != node && nodes[at].entry == entry;

		for (u32 i = inside ? 0 : nodes[at].first_record; i;
		     i = s->records.v[i].next_in_node)
			if (s->records.v[i].entry != entry) {
				*nr += s->records.v[i].nr;
				*period += s->records.v[i].period;
			}
		if (!inside && nodes[at].child) {
			at = nodes[at].child;
			continue;
		}
		while (at != node && !nodes[at].sibling)
			at = nodes[at].parent;
		if (at == node)
			return;
		at = nodes[at].sibling;
	}
}

static void add_callers(struct chain_tree *t, u32 node, u32 entry)
{
	u64 period;
	u32 nr;

	count_innermost(t->hist, node, entry, &nr, &period);
	if (nr)
		chain_tree__count(t, push_path_outwards(t, node), nr, period);
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

/* Sums from the leaves up, and the children of each node in the order to show them. */
static void link_up(struct chain_tree *t)
{
	struct chain_node *nodes = t->nodes.v;
	u32 nr = t->nodes.nr;

	for (u32 i = 0; i < nr; i++) {
		nodes[i].nr_all = nodes[i].nr;
		nodes[i].period_all = nodes[i].period;
	}
	for (u32 i = nr; --i;) {
		nodes[nodes[i].parent].nr_all += nodes[i].nr_all;
		nodes[nodes[i].parent].period_all += nodes[i].period_all;
	}
	vec__reserve(&t->scratch, nr);
	t->scratch.nr = nr;
	for (u32 i = 0; i < nr; i++)
		t->scratch.v[i] = i;
	qsort_r(t->scratch.v + 1, nr - 1, sizeof(u32), compare_nodes, t);
	/* The largest is put in front last. */
	for (u32 k = nr; --k;) {
		u32 i = t->scratch.v[k];

		/* Only samples of the entry itself came this way; they stand elsewhere. */
		if (!nodes[i].nr_all)
			continue;
		nodes[i].sibling = nodes[nodes[i].parent].child;
		nodes[nodes[i].parent].child = i;
	}
}

void chain_tree__build(struct chain_tree *t, const struct hist_entry *e)
{
	const struct stack_node *nodes = t->hist->stacks.nodes.v;
	u32 entry = e - t->hist->entries.v;

	t->nodes.nr = 0;
	index__clear(&t->index);
	*vec__push(&t->nodes) = (struct chain_node){};
	add_own_samples(t, e);
	for (u32 n = t->hist->opts.children ? e->first_node : 0; n; n = nodes[n].next_same) {
		if (!t->caller_order)
			add_callers(t, n, entry);
		else if (!nodes[n].outer)
			add_callees(t, n, entry);
	}
	link_up(t);
}
