/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Items in the order of their keys, as a B+ tree whose copies share their nodes.
 *
 * A copy costs nothing. Who changes one of several makes the nodes from the root to the place of
 * the change his own, some 300 bytes of each level, of which there are few: 3 for 1,000 items.
 *
 * All zero but for .ops is a valid empty tree.
 */
#ifndef PERF_BASE_TREE64_H
#define PERF_BASE_TREE64_H

#include "types.h"

/* What is common to trees of the same items. */
struct tree64_ops {
	void (*get)(void *ctx, void *item); /* a node more has it; NULL: trees are not copied */
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

/* Takes the reference to @item. Its key is in the tree only once. */
void tree64__add(struct tree64 *t, u64 key, void *item);
void tree64__del(struct tree64 *t, u64 key); /* which is there */

void *tree64__behind(const struct tree64 *t, u64 key); /* of the lowest key above; or NULL */
void *tree64__at(const struct tree64 *t, size_t i);    /* number @i, from 0; or NULL */

#endif
