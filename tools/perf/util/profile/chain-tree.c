// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "../base/hash.h"
#include "chain-tree.h"

#define BATCH_REFS (16 << 20) /* 128 MB */

void chain_tree__init(struct chain_tree *t, struct hist *h, bool caller_order, u64 least)
{
	*t = (struct chain_tree){ .hist = h, .caller_order = caller_order, .least = least };
}

void chain_tree__free(struct chain_tree *t)
{
	vec__free(&t->nodes);
	vec__free(&t->items);
	vec__free(&t->scratch);
	vec__free(&t->refs);
	vec__free(&t->first_ref);
	index__free(&t->index);
}

/* How many places the batch that begins at @rank has; sets .first_ref and .batch_end. */
static size_t measure_batch(struct chain_tree *t, u32 rank)
{
	const struct hist *h = t->hist;
	size_t total = 0;
	u32 r;

	t->batch = rank;
	t->first_ref.nr = 0;
	for (r = rank; r < h->sorted.nr; r++) {
		const struct hist_entry *e = &h->entries.v[h->sorted.v[r]];
		u32 nr = e->period_all < t->least ? 0 : e->nr_records;

		if (r > rank && total + nr > BATCH_REFS)
			break;
		*vec__push(&t->first_ref) = total;
		total += nr;
	}
	*vec__push(&t->first_ref) = total;
	t->batch_end = r;
	return total;
}

/* Notes where @entry is in the record: the outermost place, or for callees the innermost. */
static void note_place(struct chain_tree *t, u32 *fill, u32 entry, struct chain_ref ref)
{
	struct hist_entry *e = &t->hist->entries.v[entry];
	u32 at = e->rank - t->batch;

	if (e->rank < t->batch || e->rank >= t->batch_end || e->period_all < t->least)
		return;
	if (e->seen != ref.record)
		fill[at]++;
	else if (!t->caller_order)
		return;
	e->seen = ref.record;
	t->refs.v[fill[at] - 1] = ref;
}

static void note_places(struct chain_tree *t, u32 *fill, u32 record)
{
	const struct stack_record *r = &t->hist->stacks.records.v[record];
	const u32 *frames = stacks__frames_of(&t->hist->stacks, r);

	for (u32 k = 0; k < r->nr_frames; k++)
		note_place(t, fill, hist__entry_of(t->hist, r->context, frames[k]),
			   (struct chain_ref){ record, k });
}

static void fill_batch(struct chain_tree *t, u32 rank)
{
	struct hist *h = t->hist;
	const struct stacks *s = &h->stacks;
	u32 *fill;

	vec__reserve(&t->refs, measure_batch(t, rank));
	fill = xmemdup(t->first_ref.v, t->first_ref.nr * sizeof(*fill));
	for (u32 i = 1; i < h->entries.nr; i++)
		h->entries.v[i].seen = 0;
	for (u32 c = 1; c < h->contexts.nr; c++)
		for (u32 i = h->contexts.v[c].event ? 0 : h->contexts.v[c].first_record; i;
		     i = s->records.v[i].next_in_context)
			note_places(t, fill, i);
	/* An entry that is in a record as its leaf only has no place there. */
	for (u32 r = 0; r < t->batch_end - t->batch; r++)
		for (u32 k = fill[r]; k < t->first_ref.v[r + 1]; k++)
			t->refs.v[k].record = 0;
	free(fill);
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

/* A record's samples come to the child of @parent that has the frame at @pos of their stack. */
static void push_item(struct chain_tree *t, u32 parent, u32 record, u32 pos)
{
	const struct stacks *s = &t->hist->stacks;
	const struct stack_record *r = &s->records.v[record];
	u32 at = find_child(t, parent, stacks__frames_of(s, r)[pos]);
	struct chain_node *n = &t->nodes.v[at];

	n->nr_all += r->nr;
	n->period_all += r->period;
	*vec__push(&t->items) = (struct chain_item){ record, pos, n->first_item };
	n->first_item = t->items.nr - 1;
}

static void expand(struct chain_tree *t, u32 at)
{
	for (u32 i = t->nodes.v[at].first_item; i; i = t->items.v[i].next) {
		struct chain_item item = t->items.v[i];

		if (!t->caller_order &&
		    item.pos + 1 < t->hist->stacks.records.v[item.record].nr_frames)
			push_item(t, at, item.record, item.pos + 1);
		else if (t->caller_order && item.pos)
			push_item(t, at, item.record, item.pos - 1);
	}
}

/* Own samples with their whole stacks; those of callees from where the entry is. */
static void begin(struct chain_tree *t, const struct hist_entry *e)
{
	const struct stacks *s = &t->hist->stacks;
	u32 entry = e - t->hist->entries.v, at;

	for (u32 i = e->first_record; i; i = s->records.v[i].next_in_entry)
		if (s->records.v[i].nr_frames)
			push_item(t, 0, i, t->caller_order ? s->records.v[i].nr_frames - 1 : 0);
	if (!t->hist->opts.children)
		return;
	if (e->rank < t->batch || e->rank >= t->batch_end)
		fill_batch(t, e->rank);
	at = e->rank - t->batch;
	for (u32 i = t->first_ref.v[at]; i < t->first_ref.v[at + 1]; i++) {
		const struct chain_ref *ref = &t->refs.v[i];

		if (ref->record && s->records.v[ref->record].entry != entry)
			push_item(t, 0, ref->record, ref->pos);
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
		if (i && t->nodes.v[i].period_all >= needed)
			expand(t, i);
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
	begin(t, e);
	for (u32 i = 1; i < t->nodes.nr; i++) {
		t->nodes.v[0].nr_all += t->nodes.v[i].nr_all;
		t->nodes.v[0].period_all += t->nodes.v[i].period_all;
	}
	grow(t, least, fraction);
	link_up(t);
}
