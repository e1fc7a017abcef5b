/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stacks of a histogram as one prefix tree: stacks that begin with the same frames, seen from
 * one of their ends, share the nodes of these. In deep recursion stacks share nearly all of their
 * frames, and work that is done by node is not repeated for each stack. The root is at the end
 * where more is shared: at the outermost frames, or at the innermost.
 *
 * Built from the records of the leader's contexts after hist__finish(); one context's stacks share
 * nothing with another's, because their entries differ. Numbers of nodes are in preorder: a node's
 * children begin behind it, and .end is behind its last descendant. Node 0 is the root.
 *
 * A place of an entry is a node where its call tree begins: in caller order where the entry is
 * outermost on a stack, in callee order where it is innermost. Each stack with the entry on it
 * leads through one of its places. From there the call tree follows the stacks away from the root
 * (.downward), or towards it.
 */
#ifndef PERF_PROFILE_STACK_TRIE_H
#define PERF_PROFILE_STACK_TRIE_H

#include "hist.h"

struct stack_node {
	u32 frame, entry;
	u32 parent, end;
	u32 next_place; /* of the same entry; 0: no more */
	/*
	 * Samples. Downward: of all stacks through the node. Upward: of the stacks whose place it
	 * is, without its entry's own samples.
	 */
	u32 nr;
	u64 period;
};

struct stack_trie {
	bool from_inner;              /* the root is at the innermost frames */
	bool downward;
	VEC(struct stack_node) nodes; /* empty: not built */
	VEC(u32) first_place;         /* by entry; 0: none */
	VEC(u32) end;                 /* by record: the node of its innermost frame; 0: no frames */
};

/*
 * Builds the tree. Uses hist_entry.seen.
 * @t: all zero
 * @caller_order: of the call trees
 */
void stack_trie__build(struct stack_trie *t, struct hist *h, bool caller_order);

/* Frees the tree. It may be built again. */
void stack_trie__free(struct stack_trie *t);

#endif
