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
 * Functions of an interpreter call its own functions, and these the next ones: it is the program
 * that calls itself, not the interpreter. So what lies between two calls of another function stays
 * if a function is among it that folding__hold() was told of:
 *
 *	<module> > eval > first > eval > second > eval
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
	u32 times;    /* how often one of the stacks comes to it, at most; by folding__stack() */
	u32 met;      /* internal: the same of the present stack */
	u32 held;     /* the depth of the last function that is held, this one included; 0: none */
};

struct folding {
	bool keeps_all;               /* no function is left out: only the tree is made */
	VEC(struct folding_node) v;   /* from 1; a caller has a lower number than what it calls */
	struct index index;           /* internal */
	VEC(u32) path;                /* internal, by depth: the nodes of the last path */
	u32 *place;                   /* internal, by function: its last node */
	VEC(u32) met;                 /* internal: the nodes that the present stack comes to */
	bool *holds;                  /* internal, by function */
	VEC(u32) stack;               /* the caller's, to make a stack in */
};

/*
 * @f: all zero but .keeps_all; for folding__free()
 * @nr_functions: their numbers are less
 */
void folding__init(struct folding *f, u32 nr_functions);

/* From now on @function is only left out between two calls of functions like itself. */
static inline void folding__hold(struct folding *f, u32 function)
{
	f->holds[function] = true;
}

/* Frees what was allocated. */
void folding__free(struct folding *f);

/*
 * Adds a stack, and how often its functions are on it.
 * @functions, @nr: outermost first; each less than folding__init() was told
 * Returns: its node.
 */
u32 folding__stack(struct folding *f, const u32 *functions, u32 nr);

#endif
