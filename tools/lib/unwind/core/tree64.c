// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "tree64.h"

#include <string.h>

#include "env.h"

#define FANOUT 16
/* Each level takes many times the changes of the one below to come into being: far from 2^64. */
#define MAX_HEIGHT 24

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

/* The nodes from the root down to where a key belongs, none of them shared. */
struct way {
	u32 nr;
	struct tree64_node *node[MAX_HEIGHT];
	u32 at[MAX_HEIGHT]; /* numbers of entries of these */
};

static bool way__add(struct way *w, struct tree64_node *n, u32 at)
{
	if (!n || w->nr == MAX_HEIGHT)
		return false;
	w->node[w->nr] = n;
	w->at[w->nr++] = at;
	return true;
}

/* The child of @n that @key belongs to, not shared and with room: goes on there. */
static bool way__down(struct way *w, struct tree64_ops *ops, u64 key)
{
	struct tree64_node *n = w->node[w->nr - 1], *child;
	u32 i;

	do {
		i = min_of(node__find(n, key), n->nr - 1u);
		child = node__own(ops, n->v[i].p);
		if (!child)
			return false;
		n->v[i].p = child;
		if (child->nr < FANOUT) {
			w->at[w->nr - 1] = i;
			return way__add(w, child, 0);
		}
	} while (node__split_child(ops, n, i, key));
	return false;
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

/* To where @key is to be added; all nodes have room. False: out of memory. */
static bool tree64__make_way(struct tree64 *t, u64 key, struct way *w)
{
	struct tree64_node *n = t->root ? node__own(t->ops, t->root) : node__new(t->ops, 0);
	bool ok;

	if (n)
		t->root = n;
	if (n && n->nr == FANOUT)
		n = tree64__raise(t);
	w->nr = 0;
	ok = way__add(w, n, 0);
	while (ok && w->node[w->nr - 1]->height)
		ok = way__down(w, t->ops, key);
	return ok;
}

int tree64__add(struct tree64 *t, u64 key, void *item)
{
	struct tree64_node *n;
	struct way w;

	if (!tree64__make_way(t, key, &w)) {
		if (t->root && !t->root->nr)
			tree64__free(t);
		return -ENOMEM;
	}
	/* From here on nothing fails. */
	for (u32 i = 0; i < w.nr - 1; i++) {
		struct tree_entry *e = &w.node[i]->v[w.at[i]];

		e->key = max_of(e->key, key);
		w.node[i]->nr_items++;
	}
	n = w.node[w.nr - 1];
	node__insert(n, node__find(n, key), key, item);
	n->nr_items++;
	return 0;
}

/* To the item of @key. 0, -ENOENT or -ENOMEM. */
static int tree64__find_way(struct tree64 *t, u64 key, struct way *w)
{
	struct tree64_node *n = node__own(t->ops, t->root);
	u32 i;

	w->nr = 0;
	if (n)
		t->root = n;
	for (;;) {
		i = n ? node__find(n, key - 1) : 0;
		if (!way__add(w, n, i))
			return -ENOMEM;
		if (i == n->nr || (!n->height && n->v[i].key != key))
			return -ENOENT;
		if (!n->height)
			return 0;
		n = node__own(t->ops, n->v[i].p);
		if (n)
			w->node[w->nr - 1]->v[i].p = n;
	}
}

/* The entry at the end of the way goes, and nodes that are empty without. */
static void way__remove(struct way *w, struct tree64_ops *ops)
{
	struct tree64_node *n = w->node[w->nr - 1];
	bool gone = true;

	if (ops->put)
		ops->put(ops->ctx, n->v[w->at[w->nr - 1]].p);
	for (u32 level = w->nr; level--;) {
		u32 at = w->at[level];

		n = w->node[level];
		n->nr_items--;
		if (gone)
			node__remove(n, at);
		else
			n->v[at].key = w->node[level + 1]->v[w->node[level + 1]->nr - 1].key;
		gone = !n->nr && level;
		if (gone)
			node__put(ops, n);
	}
}

int tree64__del(struct tree64 *t, u64 key)
{
	int ret = t->root && key ? 0 : -ENOENT;
	struct tree64_node *n;
	struct way w;

	if (!ret)
		ret = tree64__find_way(t, key, &w);
	if (ret)
		return ret;
	way__remove(&w, t->ops);
	if (!t->root->nr)
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
