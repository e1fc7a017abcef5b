/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call tree of one histogram entry, made from the stacks of the whole histogram when the entry
 * is printed, and replaced by that of the next entry.
 *
 * Caller order: from the outermost frame inwards. The entry's own samples add their whole stacks,
 * samples of functions that it called add the part from the entry inwards. Callee order: from the
 * entry outwards. A tree node is one frame; printing joins nodes without a branch into one.
 *
 * The tree grows from its root, and only below nodes with enough samples to be printed: a node with
 * less exists (it makes a branch), but has no children. The depth is limited; samples of longer
 * stacks count as ending there. The entry's own samples are followed stack by stack, those of
 * functions that it called by the nodes of the stack trie. So the cost is that of the entry's own
 * stacks, and of the different stacks around its places, however many samples share them. There is
 * no recursion.
 *
 * With .fold, different depths of a recursion of the program are one path (stack/folding.h): of the
 * part of a stack that belongs to the tree, seen from its outermost frame. That takes each stack
 * with the entry on it as a whole, and so is for trees that somebody opens. Sums stay what they
 * are: a stack is on one path of the tree, before as after.
 */
#ifndef PERF_PROFILE_CHAIN_TREE_H
#define PERF_PROFILE_CHAIN_TREE_H

#include "../base/index.h"
#include "../stack/folding.h"
#include "stack-trie.h"

struct chain_node {
	u32 parent;
	u32 child, sibling; /* after chain_tree__build(): by descending sum */
	u32 frame;          /* stack_frame; node 0 is the root and has none */
	u32 nr, nr_all;     /* samples: that end here; with those below */
	u64 period, period_all;
	u32 depth;          /* frames up to here, itself included */
	u32 times;          /* with .fold: how often it is on one of the stacks, at most; else 0 */
	u32 first_item;     /* internal */
};

/*
 * Internal: samples that are counted at a tree node, and where their stacks go on. Those of one
 * record are at a frame in .own; with @at_own 0, those of many are at a stack_node. Both numbers
 * are negative where samples are subtracted.
 */
struct chain_item {
	u32 at_own, at_node, next;
	u32 nr;
	u64 period;
};

typedef VEC(struct chain_node) chain_node_vec;

struct chain_tree {
	struct hist *hist;
	bool caller_order;
	bool fold;          /* the user's, and may be changed */
	u32 max_frames;
	u64 nr_steps;       /* items of all trees so far: what they cost, for tests of growth */
	chain_node_vec nodes;
	VEC(struct chain_item) items;
	VEC(u32) own;       /* frames of the entry's own samples, each stack between zeroes */
	struct index index;
	VEC(u32) scratch;
	struct stack_trie trie; /* made when it is needed */
};

/*
 * @h: borrowed
 * @caller_order: see above
 * @max_frames: of a stack in a tree, those next to the entry; 0: all
 */
void chain_tree__init(struct chain_tree *t, struct hist *h, bool caller_order, u32 max_frames);

/* Frees the tree and the trie. */
void chain_tree__free(struct chain_tree *t);

/*
 * Replaces the tree by that of an entry.
 * @least: nodes with a smaller period have nothing below them
 * @fraction: the same, nodes with a smaller part of the sum of their siblings; 0: no such limit
 */
void chain_tree__build(struct chain_tree *t, const struct hist_entry *e, u64 least,
		       double fraction);

/*
 * Returns: the last node of the part without branches that begins at @node: samples neither end nor
 *         part before it.
 */
u32 chain_node__end_of_run(const struct chain_node *nodes, u32 node);

#endif
