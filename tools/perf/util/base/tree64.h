/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Items in the order of their keys: a B+ tree whose copies share nodes (copy on write).
 *
 * A copy costs nothing. A change copies the shared nodes on the way from the root to the changed
 * place, some 300 bytes on each level; 1,000 items need 3 levels.
 *
 * All zero except .ops is a valid empty tree.
 */
#ifndef PERF_BASE_TREE64_H
#define PERF_BASE_TREE64_H

#include "types.h"

/* What is common to trees of the same items. */
struct tree64_ops {
	void (*get)(void *ctx, void *item); /* takes a reference; NULL: trees are not copied */
	void (*put)(void *ctx, void *item); /* a node less; may be NULL */
	void *ctx;
	size_t bytes;                       /* out: memory of all of their nodes */
};

struct tree64_node;

struct tree64 {
	struct tree64_ops *ops;
	struct tree64_node *root; /* NULL: empty */
};

void tree64__free(struct tree64 *t); /* it is empty then, and may be used again */
struct tree64 tree64__copy(const struct tree64 *from);
size_t tree64__nr(const struct tree64 *t);

/* Takes over the reference to @item. No other item in the tree may have its key. */
void tree64__add(struct tree64 *t, u64 key, void *item);
void tree64__del(struct tree64 *t, u64 key); /* which is there */

void *tree64__above(const struct tree64 *t, u64 key); /* of the lowest key above; or NULL */
void *tree64__at(const struct tree64 *t, size_t i);    /* number @i, from 0; or NULL */

#endif
