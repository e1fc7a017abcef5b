/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks without their recursion, as a tree. Where a function calls itself, directly or through
 * others, stacks differ by how often it has done so, and each depth would be a path of its own.
 * Here what lies between two calls of one function is left out, with all but the first of them, so
 * that the different depths are one:
 *
 *	main > parse > term > parse > term > parse > read
 *	main > parse x 3 > read
 *
 * A path is the node of its last function. A frame costs the same, however deep it is.
 */
#ifndef PERF_STACK_FOLDING_H
#define PERF_STACK_FOLDING_H

#include "../base/index.h"
#include "../base/vec.h"

struct folding_node {
	u32 parent;
	u32 function; /* any number; of node 0, which has no function, 0 */
	u32 depth;    /* functions up to here, this one included */
	u32 times;    /* how often it is on one of the stacks, at most; by folding__stack() */
};

struct folding {
	bool keeps_all;               /* no function is left out: only the tree is made */
	VEC(struct folding_node) v;   /* from 1; a caller has a lower number than what it calls */
	struct index index;           /* internal */
	VEC(u32) path;                /* internal, by depth: the nodes of the last path */
	u32 *place;                   /* internal, by function: its last node */
	u32 *times;                   /* internal, by function: how often it was met */
	VEC(u32) stack;               /* the caller's, to make a stack in */
};

/*
 * @f: all zero but .keeps_all; for folding__free()
 * @nr_functions: their numbers are less
 */
void folding__init(struct folding *f, u32 nr_functions);

/* Frees what was allocated. */
void folding__free(struct folding *f);

/*
 * Adds a stack, and how often its functions are on it.
 * @functions, @nr: outermost first; each less than folding__init() was told
 * Returns: its node.
 */
u32 folding__stack(struct folding *f, const u32 *functions, u32 nr);

#endif
