/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call tree of one histogram entry, made from the stacks of the whole histogram when the
 * entry is about to be shown, and thrown away for the next.
 *
 * Caller order: from the outermost frame inwards. An entry's own samples bring their whole
 * stack, samples of what it called the part from the entry inwards. Callee order: from the entry
 * outwards. A tree node is one frame; printing joins nodes without a branch into one.
 *
 * Node 0 is the root and has no frame. Nodes are made behind their parents; nothing recurses.
 */
#ifndef PERF_REPORT_CHAIN_TREE_H
#define PERF_REPORT_CHAIN_TREE_H

#include "../base/index.h"
#include "hist.h"

struct chain_node {
	u32 parent;
	u32 child, sibling; /* after chain_tree__build(): by descending sum */
	u32 frame;          /* stack_frame */
	u32 nr, nr_all;     /* samples: that end here; with those below */
	u64 period, period_all;
};

struct chain_tree {
	const struct hist *hist;
	bool caller_order;
	VEC(struct chain_node) nodes;
	struct index index;
	VEC(u32) scratch;
};

void chain_tree__init(struct chain_tree *t, const struct hist *h, bool caller_order);
void chain_tree__free(struct chain_tree *t);

/* Makes the tree of @e in place of the one before. */
void chain_tree__build(struct chain_tree *t, const struct hist_entry *e);

#endif
