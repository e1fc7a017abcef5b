// SPDX-License-Identifier: GPL-2.0-only
/* The set of maps itself: what its users cannot see at once. */
#include <sys/mman.h>

#include "../../util/state/machine.h"
#include "../../util/state/maps.h"
#include "../lib/builder.h"
#include "../test.h"

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

/* Bytes for each of @forks copies of @nr maps that maps something of its own. */
static size_t fork_bytes(u32 nr, u32 forks)
{
	struct map_pool pool = { .arena = arena__new() };
	struct maps *parent = maps__new(&pool, 0), **child = xcalloc(forks, sizeof(*child));
	size_t before, bytes;

	for (u64 i = 1; i <= nr; i++)
		put(parent, i);
	before = pool.nodes.bytes + arena__bytes(pool.arena);
	for (u32 i = 0; i < forks; i++) {
		child[i] = maps__clone(parent, i + 1);
		put(child[i], nr + 1 + i % 2);
	}
	bytes = pool.nodes.bytes + arena__bytes(pool.arena) - before;
	for (u32 i = 0; i < forks; i++)
		maps__put(child[i]);
	maps__put(parent);
	TEST_EQ(pool.nodes.bytes, 0);
	arena__free(pool.arena);
	free(child);
	return bytes / forks;
}

TEST(state_growth_forks, "state: a fork and a mapping take some hundred bytes, whatever is mapped")
{
	TEST_TRUE(fork_bytes(10, 5000) < 500);
	for (u32 nr = 1000; nr <= 16000; nr *= 4)
		TEST_TRUE(fork_bytes(nr, 2000) < 1600);
}

TEST(state_maps_changes, "state: what has changed is known for as long as it is little")
{
	struct map_pool pool = { .arena = arena__new() };
	struct maps *maps = maps__new(&pool, 0);
	const struct map_change *c;
	u64 since;
	size_t nr;

	put(maps, 5);
	since = maps__generation(maps);
	TEST_TRUE(!maps__changes(maps, ~0ULL, &nr));
	put(maps, 9);
	maps__insert(maps, &(struct map){ .start = 0xa800, .end = 0x12800, .dso = &dso });
	c = maps__changes(maps, since, &nr);
	TEST_TRUE(c && nr == 2);
	TEST_TRUE(c[0].start == 0x12000 && c[0].end == 0x13000);
	TEST_TRUE(c[1].start == 0xa000 && c[1].end == 0x13000);
	since++;
	maps__remove(maps, 0x12900, 0x12a00);
	c = maps__changes(maps, since, &nr);
	TEST_TRUE(c && nr == 2);
	TEST_TRUE(c[1].start == 0x12800 && c[1].end == 0x13000);
	for (u64 i = 20; i < 200; i++) {
		since = maps__generation(maps);
		put(maps, i);
		c = maps__changes(maps, since, &nr);
		TEST_TRUE(c && nr == 1 && c->start == 2 * i << 12);
	}
	TEST_TRUE(!maps__changes(maps, since - 150, &nr));
	since = maps__generation(maps);
	maps__insert(maps, &(struct map){ .start = 0xc7800, .end = 0xc8000, .dso = &dso });
	TEST_TRUE(maps__find(maps, 0xc8000)); /* touched, and not changed */
	c = maps__changes(maps, since, &nr);
	TEST_TRUE(c && nr == 1 && c->start == 0xc7800 && c->end == 0xc8000);
	maps__put(maps);
	arena__free(pool.arena);
}

TEST(state_maps_frozen, "state: a frozen set stays as it was, and is one until the next change")
{
	struct map_pool pool = { .arena = arena__new() };
	struct maps *maps = maps__new(&pool, 7), *frozen, *again;

	for (u64 i = 0; i < NR; i++)
		put(maps, i);
	frozen = maps__freeze(maps);
	again = maps__freeze(maps);
	TEST_TRUE(frozen == again && frozen != maps);
	TEST_EQ(maps__id(frozen), 7);
	TEST_EQ(maps__generation(frozen), maps__generation(maps));
	maps__remove(maps, 0, -1ULL);
	maps__put(again);
	again = maps__freeze(maps);
	expect_maps(frozen, 0, NR);
	expect_maps(again, 0, 0);
	maps__put(maps);
	expect_maps(frozen, 0, NR);
	maps__put(frozen);
	maps__put(again);
	arena__free(pool.arena);
}

/* @id: of the set before @maps, as it is frozen now; 0: there is none. */
static void expect_before(struct maps *maps, u32 id)
{
	struct maps *frozen = maps__freeze(maps);
	const struct maps *before = maps__before(frozen);

	TEST_EQ(before ? maps__id(before) : 0, id);
	maps__put(frozen);
}

TEST(state_maps_frozen_before, "state: a frozen set knows what was mapped before an exec")
{
	static const struct dso program = { .kind = DSO_USER, .name = "/bin/x" };
	static const struct dso vdso = { .kind = DSO_VDSO, .name = "[vdso]" };
	const struct map map = { .start = 0x1000, .end = 0x2000, .dso = &program };
	struct map_pool pool = { .arena = arena__new() };
	struct maps *first = maps__new(&pool, 1), *second = maps__new(&pool, 2);
	struct maps *third = maps__new(&pool, 3);

	expect_before(second, 0);
	maps__set_before(second, first);
	expect_before(second, 1);
	expect_before(third, 0);
	maps__set_before(third, second);
	expect_before(second, 0);
	expect_before(third, 2);
	TEST_TRUE(!maps__is_shared(first) && maps__is_shared(second));
	maps__insert(third, &map);
	maps__insert(third, &(struct map){ .start = 0x3000, .end = 0x4000, .dso = &vdso });
	expect_before(third, 2);
	maps__insert(third, &map); /* behind the vDSO: by the new program */
	expect_before(third, 0);
	TEST_TRUE(!maps__is_shared(second));
	maps__put(first);
	maps__put(second);
	maps__put(third);
	arena__free(pool.arena);
}

/* Maps memory without a file, @times over, around what is there. */
static void map_memory(struct machine *m, int times)
{
	const struct mmap_record mmap = {
		.start = 1 << 20, .len = 1 << 20, .prot = PROT_EXEC, .filename = "//anon",
	};
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new();
	size_t size;
	const void *data;

	builder__event(b, &attr, "cpu-clock", (u64[]){ 1 }, 1);
	builder__at(b, 1, 1, 0, 1);
	builder__mmap2(b, &mmap);
	data = builder__data(b, &size);
	while (times--)
		TEST_EQ(machine__process(m, &(struct record){ .hdr = data }), 0);
	builder__free(b);
}

static void make_functions(struct machine *m, u64 nr)
{
	for (u64 i = 0; i < nr; i++)
		machine__map_code(m, machine__thread(m, 1, 1), &(struct code_mapping){
			.start = (1 << 20) + 32 * i, .end = (1 << 20) + 32 * i + 16,
			.function = "f", .path = "p", .code = i });
}

static enum dso_kind kind_of_last(struct machine *m, u64 nr)
{
	return machine__find_map(m, machine__thread(m, 1, 1), PERF_RECORD_MISC_USER,
				 (1 << 20) + 32 * (nr - 1))->dso->kind;
}

TEST(state_maps_around, "state: some hundred functions stay for ever where memory is mapped again")
{
	struct machine *m = machine__new(&(struct machine_opts){ .max_around = 100000 });

	make_functions(m, 500);
	map_memory(m, 1000);
	TEST_EQ(kind_of_last(m, 500), DSO_JIT);
	TEST_EQ(machine__nr_covered(m), 0);
	/* With so many each time that comes to an end, which is counted. */
	make_functions(m, 10000);
	map_memory(m, 4);
	TEST_EQ(kind_of_last(m, 10000), DSO_JIT);
	map_memory(m, 10);
	TEST_EQ(kind_of_last(m, 10000), DSO_ANON);
	TEST_TRUE(machine__nr_covered(m) > 0);
	/* But not for good. */
	map_memory(m, 5);
	make_functions(m, 500);
	map_memory(m, 1000);
	TEST_EQ(kind_of_last(m, 500), DSO_JIT);
	machine__free(m);
}
