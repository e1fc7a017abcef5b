// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "tree64.h"

#include <string.h>

#include "env.h"

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
	struct tree64_node *n = env__zalloc(ops->env, sizeof(*n));

	if (!n)
		return NULL;
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
	env__free(ops->env, n);
}

/* @n, or in its place a copy if it was shared; NULL: out of memory. */
static struct tree64_node *node__own(struct tree64_ops *ops, struct tree64_node *n)
{
	struct tree64_node *own;

	if (n->refs == 1)
		return n;
	own = node__new(ops, n->height);
	if (!own)
		return NULL;
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

/*
 * Splits child @i, which is full and not shared. If keys ascend, nodes remain full. False: out of
 * memory.
 */
static bool node__split_child(struct tree64_ops *ops, struct tree64_node *n, u32 i, u64 key)
{
	struct tree64_node *left = n->v[i].p, *right = node__new(ops, left->height);
	u32 keep = key > left->v[FANOUT - 1].key ? FANOUT - 1 : FANOUT / 2;

	if (!right)
		return false;
	right->nr = FANOUT - keep;
	memcpy(right->v, left->v + keep, right->nr * sizeof(*left->v));
	left->nr = keep;
	node__count(left);
	node__count(right);
	n->v[i].key = left->v[keep - 1].key;
	node__insert(n, i + 1, right->v[right->nr - 1].key, right);
	return true;
}

/* The number of the child that @key belongs to. */
static u32 node__child_of(const struct tree64_node *n, u64 key)
{
	return min_of(node__find(n, key), n->nr - 1u);
}

/* That child, not shared and with room; NULL: out of memory. */
static struct tree64_node *node__make_child(struct tree64_ops *ops, struct tree64_node *n, u64 key)
{
	for (;;) {
		u32 i = node__child_of(n, key);
		struct tree64_node *child = node__own(ops, n->v[i].p);

		if (!child)
			return NULL;
		n->v[i].p = child;
		if (child->nr < FANOUT)
			return child;
		if (!node__split_child(ops, n, i, key))
			return NULL;
	}
}

/* A level more. */
static struct tree64_node *tree64__raise(struct tree64 *t)
{
	struct tree64_node *n = node__new(t->ops, t->root->height + 1);

	if (!n)
		return NULL;
	node__insert(n, 0, t->root->v[FANOUT - 1].key, t->root);
	node__count(n);
	return t->root = n;
}

/* All nodes on the way to where @key belongs: not shared and with room. False: out of memory. */
static bool tree64__make_way(struct tree64 *t, u64 key)
{
	struct tree64_node *n = t->root ? node__own(t->ops, t->root) : node__new(t->ops, 0);

	if (n)
		t->root = n;
	if (n && n->nr == FANOUT)
		n = tree64__raise(t);
	while (n && n->height)
		n = node__make_child(t->ops, n, key);
	return n;
}

int tree64__add(struct tree64 *t, u64 key, void *item)
{
	struct tree64_node *n;

	if (!tree64__make_way(t, key)) {
		if (t->root && !t->root->nr)
			tree64__free(t);
		return -ENOMEM;
	}
	for (n = t->root; n->height; n = n->v[node__child_of(n, key)].p) {
		struct tree_entry *e = &n->v[node__child_of(n, key)];

		e->key = max_of(e->key, key);
		n->nr_items++;
	}
	node__insert(n, node__find(n, key), key, item);
	n->nr_items++;
	return 0;
}

/* The way to @key: not shared. @n is. 0, -ENOENT or -ENOMEM. */
static int node__own_way(struct tree64_ops *ops, struct tree64_node *n, u64 key)
{
	for (;;) {
		u32 i = node__find(n, key - 1);
		struct tree64_node *child;

		if (i == n->nr || (!n->height && n->v[i].key != key))
			return -ENOENT;
		if (!n->height)
			return 0;
		child = node__own(ops, n->v[i].p);
		if (!child)
			return -ENOMEM;
		n->v[i].p = child;
		n = child;
	}
}

/* node__own_way() has been. */
static void node__del(struct tree64_ops *ops, struct tree64_node *n, u64 key)
{
	u32 i = node__find(n, key - 1);
	struct tree64_node *child;

	n->nr_items--;
	if (!n->height) {
		if (ops->put)
			ops->put(ops->ctx, n->v[i].p);
		node__remove(n, i);
		return;
	}
	child = n->v[i].p;
	node__del(ops, child, key);
	if (child->nr) {
		n->v[i].key = child->v[child->nr - 1].key;
	} else {
		node__put(ops, child);
		node__remove(n, i);
	}
}

int tree64__del(struct tree64 *t, u64 key)
{
	struct tree64_node *n = t->root && key ? node__own(t->ops, t->root) : NULL;
	int ret;

	if (!n)
		return t->root && key ? -ENOMEM : -ENOENT;
	t->root = n;
	ret = node__own_way(t->ops, n, key);
	if (ret)
		return ret;
	node__del(t->ops, n, key);
	if (!n->nr)
		tree64__free(t);
	while (t->root && t->root->height && t->root->nr == 1) {
		n = t->root;
		t->root = n->v[0].p;
		n->nr = 0;
		node__put(t->ops, n);
	}
	return 0;
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
