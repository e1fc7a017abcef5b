/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call tree of one histogram entry, made from the stacks of the whole histogram when the
 * entry is about to be shown, and thrown away for the next.
 *
 * Caller order: from the outermost frame inwards. An entry's own samples bring their whole
 * stack, samples of what it called the part from the entry inwards. Callee order: from the entry
 * outwards. A tree node is one frame; printing joins nodes without a branch into one.
 *
 * The tree grows from its root, and only where there is enough to be shown: a node with less is
 * there (it makes a branch), but nothing below it. So an entry costs what is printed of it and
 * the stacks that meet there, not all stacks below it. Nothing recurses.
 */
#ifndef PERF_PROFILE_CHAIN_TREE_H
#define PERF_PROFILE_CHAIN_TREE_H

#include "../base/index.h"
#include "hist.h"

struct chain_node {
	u32 parent;
	u32 child, sibling; /* after chain_tree__build(): by descending sum */
	u32 frame;          /* stack_frame; node 0 is the root and has none */
	u32 nr, nr_all;     /* samples: that end here; with those below */
	u64 period, period_all;
	u32 first_item;     /* internal */
};

/* Internal: a record whose stack leads through a tree node, and how far it has come. */
struct chain_item {
	u32 record, pos, next;
};

struct chain_ref { /* internal: where an entry is in a record's stack */
	u32 record, pos;
};

struct chain_tree {
	struct hist *hist;
	bool caller_order;
	u64 least;           /* entries with less need no tree */
	VEC(struct chain_node) nodes;
	VEC(struct chain_item) items;
	struct index index;
	VEC(u32) scratch;
	/* Where the entries with ranks from .batch on are: made for as many as fit at a time. */
	u32 batch, batch_end;
	VEC(struct chain_ref) refs;
	VEC(u32) first_ref;  /* by rank - batch; one more than there are */
};

/* @least: trees are built for entries with this period or more. */
void chain_tree__init(struct chain_tree *t, struct hist *h, bool caller_order, u64 least);
void chain_tree__free(struct chain_tree *t);

/*
 * Makes the tree of @e in place of the one before. What is below nodes with less than @least
 * (period), or when @fraction is not 0 with less than that part of their siblings' sum, is left
 * out.
 */
void chain_tree__build(struct chain_tree *t, const struct hist_entry *e, u64 least,
		       double fraction);

#endif
