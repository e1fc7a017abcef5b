/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks written one after another. Two that follow each other mostly have most of their outer
 * frames in common: what was made of these is used again.
 */
#ifndef PERF_EXPORT_STACK_PATH_H
#define PERF_EXPORT_STACK_PATH_H

#include "stack-table.h"

/* The nodes of a stack, outermost first. All zero is valid: no stack. */
struct stack_path {
	VEC(u32) v;
	size_t same;              /* so many were in the stack before, too */
	VEC(u32) inner;           /* internal */
};

/* Goes from the stack before to that of @node; 0: one without frames. */
void stack_path__go(struct stack_path *p, const struct stack_table *t, u32 node);

/*
 * Prefetches the inner nodes of a stack that comes some calls later: mostly they were made one
 * after another.
 * @node: the innermost; 0: none
 */
static inline void stack_path__soon(const struct stack_table *t, u32 node)
{
	__builtin_prefetch(&t->nodes.v[node]);
	__builtin_prefetch(&t->nodes.v[node >= 8 ? node - 8 : 0]);
}

/* Frees the memory. */
void stack_path__free(struct stack_path *p);

/*
 * Returns: the number of a location.
 * @node: that of the innermost function there; those up to @caller were inlined one into another
 */
typedef u32 (*location_fn)(void *ctx, u32 node, u32 caller);

/*
 * The locations of a stack as a list of varints (proto.h), innermost first. It grows towards the
 * beginning of its memory, where the innermost ones are. All zero is valid.
 */
struct location_list {
	struct stack_path path;
	u8 *v;                    /* .max bytes, the list at their end */
	size_t max;
	VEC(size_t) sizes;        /* by place in .path: that of the list without its location */
	size_t size;              /* of the list, in bytes */
};

/*
 * Makes the list of the stack of @node.
 * @location, @ctx: asked for the locations that the stack before did not have, outermost first
 */
void location_list__go(struct location_list *l, const struct stack_table *t, u32 node,
		       location_fn location, void *ctx);

/* Returns: the list, of .size bytes. */
static inline const void *location_list__bytes(const struct location_list *l)
{
	return l->v + l->max - l->size;
}

/* Frees the memory. */
void location_list__free(struct location_list *l);

#endif
