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
#ifndef PERF_REPORT_CHAIN_TREE_H
#define PERF_REPORT_CHAIN_TREE_H

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

/* Internal: samples at one stack node. */
struct chain_item {
	u32 node, next;
	u32 nr;
	bool own; /* samples of the entry itself */
	u64 period;
};

struct chain_share { /* internal: the part of a stack node's samples that are the entry's own */
	u64 period;
	u32 nr;
};

struct chain_tree {
	const struct hist *hist;
	bool caller_order;
	VEC(struct chain_node) nodes;
	VEC(struct chain_item) items;
	struct index index;
	struct chain_share *own; /* by stack node */
	VEC(u32) scratch;
};

void chain_tree__init(struct chain_tree *t, const struct hist *h, bool caller_order);
void chain_tree__free(struct chain_tree *t);

/*
 * Makes the tree of @e in place of the one before. What is below nodes with less than @least
 * (period), or when @fraction is not 0 with less than that part of their siblings' sum, is left
 * out.
 */
void chain_tree__build(struct chain_tree *t, const struct hist_entry *e, u64 least,
		       double fraction);

#endif
