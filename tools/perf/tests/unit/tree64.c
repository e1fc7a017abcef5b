// SPDX-License-Identifier: GPL-2.0-only
/* Ordered trees whose copies share their nodes. */
#include "../../util/base/mem.h"
#include "../../../lib/unwind/core/tree64.h"
#include "../test.h"

#define KEYS 600
#define TREES 4

/* Items are numbers that count who has them. */
struct item {
	u32 refs;
};

static void get(void *ctx, void *item)
{
	TEST_EQ(ctx, NULL);
	((struct item *)item)->refs++;
}

static void put(void *ctx, void *item)
{
	TEST_EQ(ctx, NULL);
	TEST_TRUE(((struct item *)item)->refs--);
}

/* What a tree should have: the item of each key, or NULL. */
struct model {
	struct tree64 tree;
	struct item *v[KEYS];
};

static void model__check(const struct model *m)
{
	size_t nr = 0;
	u64 below = 0;

	for (u64 key = 1; key < KEYS; key++) {
		if (!m->v[key])
			continue;
		for (; below < key; below++)
			TEST_TRUE(tree64__above(&m->tree, below) == m->v[key]);
		TEST_TRUE(tree64__at(&m->tree, nr++) == m->v[key]);
	}
	TEST_TRUE(!tree64__above(&m->tree, below));
	TEST_TRUE(!tree64__above(&m->tree, UINT64_MAX));
	TEST_TRUE(!tree64__at(&m->tree, nr));
	TEST_EQ(tree64__nr(&m->tree), nr);
}

static void model__change(struct model *m, u64 key, struct arena *arena)
{
	if (m->v[key]) {
		tree64__del(&m->tree, key);
		m->v[key] = NULL;
	} else {
		m->v[key] = arena__alloc(arena, sizeof(*m->v[key]));
		m->v[key]->refs = 1;
		tree64__add(&m->tree, key, m->v[key]);
	}
}

static void model__copy(struct model *m, const struct model *from)
{
	struct tree64 copy = tree64__copy(&from->tree);

	tree64__free(&m->tree);
	*m = *from;
	m->tree = copy;
}

TEST(tree64_random, "base: trees and their copies have what they should have")
{
	struct tree64_ops ops = { .env = &endless_memory, .get = get, .put = put };
	struct model *models = xcalloc(TREES, sizeof(*models)), *m;
	struct arena *arena = arena__new();

	for (u32 i = 0; i < TREES; i++)
		models[i].tree.ops = &ops;
	srandom(11);
	for (u32 n = 0; n < 20000; n++) {
		m = &models[random() % TREES];
		/* Grows, then shrinks, here and there, and at the ends. */
		for (u32 k = 0; k < 8; k++) {
			u64 key = 1 + random() % (KEYS - 1);

			if (!!m->v[key] == (n / 500 % 2 == 1) || !(random() % 8))
				model__change(m, key, arena);
		}
		if (n % 50 == 0)
			model__copy(m, &models[random() % TREES]);
		if (n % 20 == 0)
			model__check(m);
	}
	for (u32 i = 0; i < TREES; i++)
		model__check(&models[i]);
	for (u32 i = 0; i < TREES; i++)
		tree64__free(&models[i].tree);
	TEST_EQ(ops.bytes, 0);
	for (u32 i = 0; i < TREES; i++)
		for (u32 key = 0; key < KEYS; key++)
			TEST_TRUE(!models[i].v[key] || !models[i].v[key]->refs);
	arena__free(arena);
	free(models);
}

/* Bytes of a tree of @nr, its keys in one order or the other, and what a change of a copy adds. */
static void measure(u32 nr, bool upwards, size_t *all, size_t *change)
{
	struct tree64_ops ops = { .env = &endless_memory, .get = get };
	struct tree64 tree = { .ops = &ops }, copy;
	struct item item = {};

	for (u32 i = 0; i < nr; i++)
		tree64__add(&tree, 2 * (upwards ? i : nr - 1 - i) + 1, &item);
	*all = ops.bytes;
	copy = tree64__copy(&tree);
	tree64__add(&copy, 2 * (nr / 2), &item);
	*change = ops.bytes - *all;
	tree64__free(&tree);
	tree64__free(&copy);
	TEST_EQ(ops.bytes, 0);
}

TEST(tree64_growth, "base: a tree takes little, and so does the change of a copy of a large one")
{
	size_t all, change;

	for (u32 nr = 1000; nr <= 256000; nr *= 4) {
		measure(nr, true, &all, &change);
		TEST_TRUE(all < 24 * nr && change < 2000);
		measure(nr, false, &all, &change);
		TEST_TRUE(all < 48 * nr && change < 2000);
	}
}
