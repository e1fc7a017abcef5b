// SPDX-License-Identifier: GPL-2.0-only
/* The set of maps itself: what its users cannot see at once. */
#include "../util/state/maps.h"
#include "test.h"

#define NR 2000 /* several chunks */

static const struct dso dso = { .kind = DSO_USER };

/* Map @i has page 2 @i. */
static const struct map *put(struct maps *maps, u64 i)
{
	return maps__insert(maps, &(struct map){
		.start = 2 * i << 12, .end = (2 * i + 1) << 12, .pgoff = i, .dso = &dso,
	});
}

static void expect_maps(const struct maps *maps, u64 from, u64 to)
{
	TEST_EQ(maps__nr(maps), to - from);
	for (u64 i = from; i < to; i++) {
		TEST_EQ(maps__at(maps, i - from)->pgoff, i);
		TEST_TRUE(maps__find(maps, 2 * i << 12) == maps__at(maps, i - from));
		TEST_TRUE(!maps__find(maps, (2 * i + 1) << 12));
	}
}

static void add_and_remove(bool upwards)
{
	struct map_pool pool = { .arena = arena__new() };
	struct maps *maps = maps__new(&pool, 0);

	for (u64 i = 0; i < NR; i++)
		put(maps, upwards ? i : NR - 1 - i);
	expect_maps(maps, 0, NR);
	maps__remove(maps, 0, 2 * 700 << 12);
	expect_maps(maps, 700, NR);
	maps__remove(maps, 2 * 1500ULL << 12, -1ULL);
	expect_maps(maps, 700, 1500);
	maps__remove(maps, 0, 2 * 700 << 12);
	expect_maps(maps, 700, 1500);
	maps__put(maps);
	arena__free(pool.arena);
}

TEST(state_maps_order, "state: maps that are added and taken out are numbered in their order")
{
	add_and_remove(true);
	add_and_remove(false);
}

TEST(state_maps_neighbours, "state: a mapping leaves those beside it as they are")
{
	struct map_pool pool = { .arena = arena__new() };
	struct maps *maps = maps__new(&pool, 0);
	const struct map *a = put(maps, 1), *b = put(maps, 2), *between;

	between = maps__insert(maps, &(struct map){ .start = a->end, .end = b->start,
						    .dso = &dso });
	TEST_EQ(maps__nr(maps), 3);
	TEST_TRUE(maps__at(maps, 0) == a && maps__at(maps, 1) == between);
	TEST_TRUE(maps__at(maps, 2) == b);
	maps__put(maps);
	arena__free(pool.arena);
}

/* Fills a copy of @maps and lets it go, and then another set. */
static void use_pool(struct map_pool *pool, struct maps *maps)
{
	struct maps *copy = maps__clone(maps, 1), *other = maps__new(pool, 2);

	put(copy, 0);
	maps__remove(copy, 0, 2 * 10 << 12);
	maps__put(copy);
	for (u64 i = 0; i < NR; i++)
		put(other, 10000 + i);
	maps__put(other);
}

TEST(state_maps_pool, "state: maps are used again when no set has them, if nobody else may")
{
	for (int forget = 0; forget < 2; forget++) {
		struct map_pool pool = { .arena = arena__new(), .forget = forget };
		struct maps *maps = maps__new(&pool, 0);
		const struct map *gone;

		for (u64 i = 1; i <= 20; i++)
			put(maps, i);
		use_pool(&pool, maps);
		expect_maps(maps, 1, 21);
		gone = maps__at(maps, 0);
		maps__remove(maps, gone->start, gone->end);
		put(maps, 21);
		expect_maps(maps, 2, 22);
		TEST_EQ(gone->pgoff == 1, !forget);
		TEST_EQ(pool.spare != NULL, forget);
		maps__put(maps);
		arena__free(pool.arena);
	}
}
