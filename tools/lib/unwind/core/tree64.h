/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Items in the order of their keys: a B+ tree whose copies share nodes (copy on write).
 *
 * A copy costs nothing. A change copies the shared nodes on the way from the root to the changed
 * place, some 300 bytes on each level; 1,000 items need 3 levels.
 *
 * All zero except .ops is a valid empty tree, and of struct tree64_ops except .env.
 */
#ifndef PERF_UNWIND_CORE_TREE64_H
#define PERF_UNWIND_CORE_TREE64_H

#include "types.h"

/* What is common to trees of the same items. */
struct unwind_env;
struct tree64_ops {
	const struct unwind_env *env;       /* whose memory the nodes are */
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

/* Frees the tree, and puts its items. It is empty then, and may be used again. */
void tree64__free(struct tree64 *t);

/* Returns: a tree with the same items, which shares the nodes of @from. It has to be freed, too. */
struct tree64 tree64__copy(const struct tree64 *from);

/* Returns: the number of items. */
size_t tree64__nr(const struct tree64 *t);

/*
 * Adds an item.
 * @key: no other item in the tree may have it
 * @item: the tree takes over the caller's reference to it
 * Returns: 0; -ENOMEM: the tree has the same items as before, and the reference is the caller's.
 */
int tree64__add(struct tree64 *t, u64 key, void *item);

/*
 * Removes the item with @key, and puts it.
 * Returns: 0; -ENOENT: there is none; -ENOMEM: shared nodes could not be copied, and the tree is as
 * it was, which does not happen to one that was never copied.
 */
int tree64__del(struct tree64 *t, u64 key);

/* Returns: the item with the lowest key above @key, or NULL. The tree keeps its reference. */
void *tree64__above(const struct tree64 *t, u64 key);

/* Returns: item number @i, from 0 in the order of keys; NULL behind the last one. */
void *tree64__at(const struct tree64 *t, size_t i);

#endif
