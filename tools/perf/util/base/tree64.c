// SPDX-License-Identifier: GPL-2.0-only
#include "tree64.h"

#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "mem.h"

#define FANOUT 16

struct tree_entry {
	u64 key; /* the highest one below */
	void *p; /* an item, or a node of the next level */
};

/* Changed only while a single tree or node refers to it. Never empty, except for a new root. */
struct tree64_node {
	u32 refs;
	u16 nr, height; /* 0: of items */
	size_t nr_items;
	struct tree_entry v[FANOUT];
};

static struct tree64_node *node__new(struct tree64_ops *ops, u16 height)
{
	struct tree64_node *n = xzalloc(sizeof(*n));

	ops->bytes += sizeof(*n);
	n->refs = 1;
	n->height = height;
	return n;
}

static void node__put(struct tree64_ops *ops, struct tree64_node *n)
{
	if (--n->refs)
		return;
	for (u32 i = 0; i < n->nr; i++) {
		if (n->height)
			node__put(ops, n->v[i].p);
		else if (ops->put)
			ops->put(ops->ctx, n->v[i].p);
	}
	ops->bytes -= sizeof(*n);
	free(n);
}

/* Returns the node at @p, after it was replaced by a copy if it was shared. */
static struct tree64_node *node__own(struct tree64_ops *ops, struct tree64_node *n)
{
	struct tree64_node *own;

	if (n->refs == 1)
		return n;
	own = node__new(ops, n->height);
	own->nr = n->nr;
	own->nr_items = n->nr_items;
	memcpy(own->v, n->v, n->nr * sizeof(*n->v));
	for (u32 i = 0; i < n->nr; i++) {
		if (n->height)
			((struct tree64_node *)n->v[i].p)->refs++;
		else
			ops->get(ops->ctx, n->v[i].p);
	}
	n->refs--;
	return own;
}

/* Number of the first entry with a key above @key. */
static u32 node__find(const struct tree64_node *n, u64 key)
{
	u32 i = 0;

	while (i < n->nr && n->v[i].key <= key)
		i++;
	return i;
}

static void node__insert(struct tree64_node *n, u32 i, u64 key, void *p)
{
	memmove(n->v + i + 1, n->v + i, (n->nr - i) * sizeof(*n->v));
	n->v[i] = (struct tree_entry){ key, p };
	n->nr++;
}

static void node__remove(struct tree64_node *n, u32 i)
{
	n->nr--;
	memmove(n->v + i, n->v + i + 1, (n->nr - i) * sizeof(*n->v));
}

static void node__count(struct tree64_node *n)
{
	n->nr_items = n->height ? 0 : n->nr;
	for (u32 i = 0; n->height && i < n->nr; i++)
		n->nr_items += ((struct tree64_node *)n->v[i].p)->nr_items;
}

/* Splits child @i, which is full and not shared. If keys ascend, nodes remain full. */
static void node__split_child(struct tree64_ops *ops, struct tree64_node *n, u32 i, u64 key)
{
	struct tree64_node *left = n->v[i].p, *right = node__new(ops, left->height);
	u32 keep = key > left->v[FANOUT - 1].key ? FANOUT - 1 : FANOUT / 2;

	right->nr = FANOUT - keep;
	memcpy(right->v, left->v + keep, right->nr * sizeof(*left->v));
	left->nr = keep;
	node__count(left);
	node__count(right);
	n->v[i].key = left->v[keep - 1].key;
	node__insert(n, i + 1, right->v[right->nr - 1].key, right);
}

/* The child that @key belongs to, made unshared and with room for one more. */
static struct tree64_node *node__way_down(struct tree64_ops *ops, struct tree64_node *n, u64 key)
{
	for (;;) {
		u32 i = min_of(node__find(n, key), n->nr - 1u);
		struct tree64_node *child = n->v[i].p = node__own(ops, n->v[i].p);

		if (child->nr == FANOUT) {
			node__split_child(ops, n, i, key);
			continue;
		}
		n->v[i].key = max_of(n->v[i].key, key);
		n->nr_items++;
		return child;
	}
}

void tree64__add(struct tree64 *t, u64 key, void *item)
{
	struct tree64_node *n;

	n = t->root = t->root ? node__own(t->ops, t->root) : node__new(t->ops, 0);
	if (n->nr == FANOUT) {
		n = node__new(t->ops, t->root->height + 1);
		node__insert(n, 0, key, t->root); /* any key: it is split next */
		node__count(n);
		t->root = n;
	}
	while (n->height)
		n = node__way_down(t->ops, n, key);
	node__insert(n, node__find(n, key), key, item);
	n->nr_items++;
}

/* Removes @key below @n, which is not shared. */
static void node__del(struct tree64_ops *ops, struct tree64_node *n, u64 key)
{
	u32 i = node__find(n, key - 1);
	struct tree64_node *child;

	BUG_ON(i == n->nr);
	n->nr_items--;
	if (!n->height) {
		BUG_ON(n->v[i].key != key);
		if (ops->put)
			ops->put(ops->ctx, n->v[i].p);
		node__remove(n, i);
		return;
	}
	child = n->v[i].p = node__own(ops, n->v[i].p);
	node__del(ops, child, key);
	if (child->nr) {
		n->v[i].key = child->v[child->nr - 1].key;
	} else {
		node__put(ops, child);
		node__remove(n, i);
	}
}

void tree64__del(struct tree64 *t, u64 key)
{
	struct tree64_node *n;

	BUG_ON(!t->root || !key);
	n = t->root = node__own(t->ops, t->root);
	node__del(t->ops, n, key);
	if (!n->nr)
		tree64__free(t);
	while (t->root && t->root->height && t->root->nr == 1) {
		n = t->root;
		t->root = n->v[0].p;
		n->nr = 0;
		node__put(t->ops, n);
	}
}

void tree64__free(struct tree64 *t)
{
	if (t->root)
		node__put(t->ops, t->root);
	t->root = NULL;
}

struct tree64 tree64__copy(const struct tree64 *from)
{
	if (from->root)
		from->root->refs++;
	return *from;
}

size_t tree64__nr(const struct tree64 *t)
{
	return t->root ? t->root->nr_items : 0;
}

void *tree64__above(const struct tree64 *t, u64 key)
{
	const struct tree64_node *n = t->root;
	u32 i;

	while (n) {
		i = node__find(n, key);
		if (i == n->nr)
			return NULL;
		if (!n->height)
			return n->v[i].p;
		n = n->v[i].p;
	}
	return NULL;
}

void *tree64__at(const struct tree64 *t, size_t i)
{
	const struct tree64_node *n = t->root, *child;
	u32 at;

	if (i >= tree64__nr(t))
		return NULL;
	for (; n->height; n = child)
		for (at = 0; child = n->v[at].p, i >= child->nr_items; at++)
			i -= child->nr_items;
	return n->v[i].p;
}
