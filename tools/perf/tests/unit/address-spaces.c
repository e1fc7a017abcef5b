// SPDX-License-Identifier: GPL-2.0-only
/* Address spaces for the unwinder keep up with the maps of their processes. */
#include <sys/mman.h>

#include "../../util/complete/address-spaces.h"
#include "../../util/complete/live-code.h"
#include "../../../lib/unwind/space/backend.h"
#include "../lib/machine-fixture.h"

struct bench {
	struct fixture f;
	struct unwinder *u;
	struct address_spaces *sp;
};

static void setup(struct bench *b)
{
	b->f = fixture__setup();
	b->f.s = symbols__new(&(struct symbols_opts){}, b->f.m);
	TEST_EQ(unwinder__by_name(&b->u, NULL, UNWIND_X86_64, NULL), 0);
	b->sp = address_spaces__new(b->u, b->f.m, symbols__binaries(b->f.s), NULL);
	builder__at(b->f.b, 1, 1, 0, 1);
}

static void teardown(struct bench *b)
{
	address_spaces__free(b->sp);
	unwinder__free(b->u);
	fixture__teardown(&b->f);
}

static void map_at(struct bench *b, u64 start, u64 len, u32 prot)
{
	builder__mmap2(b->f.b, &(struct mmap_record){ .start = start, .len = len, .pgoff = start,
						      .prot = prot, .filename = "/prog" });
}

static struct unwind_space *sample(struct bench *b)
{
	fixture__feed(&b->f);
	return address_spaces__get(b->sp, machine__thread(b->f.m, 1, 1));
}

/* The space has each map of code, and nothing else. */
static void expect_same(struct bench *b)
{
	const struct unwind_space *s = sample(b);
	const struct maps *maps = machine__thread(b->f.m, 1, 1)->maps;
	const struct map *map = maps__next(maps, 0);
	size_t nr = 0;

	for (; map; map = maps__next(maps, map->end)) {
		const struct unwind_mapping *m = unwind_space__find(s, map->start);

		TEST_EQ(!!m, !!(map->prot & PROT_EXEC));
		if (!m)
			continue;
		nr++;
		TEST_TRUE(m->start == map->start && m->end == map->end);
		TEST_TRUE(m->pgoff == map->pgoff && m->module == map->dso->id);
	}
	TEST_EQ(tree64__nr(&s->maps), nr);
}

TEST(address_spaces_random, "spaces: whatever was mapped, the space is as the maps are")
{
	struct bench b;

	setup(&b);
	srandom(5);
	for (u32 n = 0; n < 2000; n++) {
		/* Few, many, and so many that all is read again. */
		u32 nr = n % 10 ? 1 + random() % 3 : 1 + random() % (n % 100 ? 30 : 400);
		u64 room = n % 300 < 200 ? 4096 : 64;

		for (u32 i = 0; i < nr; i++)
			map_at(&b, (random() % room) << 12, (1 + random() % 8) << 12,
			       random() % 3 ? PROT_EXEC : PROT_READ);
		if (n % 200 == 0)
			map_at(&b, 0x1000, 0x2000000, n % 400 ? PROT_READ : PROT_EXEC);
		expect_same(&b);
	}
	teardown(&b);
}

TEST(address_spaces_kinds, "spaces: code of files, of the vDSO and of no file; from address 0 on")
{
	static const char *const names[] = { "/prog", "[vdso]", "//anon" };
	const struct unwind_space *s;
	struct bench b;

	setup(&b);
	map_at(&b, 0, 1, PROT_EXEC);
	for (u64 i = 0; i < ARRAY_SIZE(names); i++)
		builder__mmap2(b.f.b, &(struct mmap_record){
			.start = (i + 1) << 16, .len = 0x1000, .prot = PROT_EXEC,
			.filename = names[i] });
	s = sample(&b);
	for (u64 i = 0; i <= ARRAY_SIZE(names); i++)
		TEST_TRUE(unwind_space__find(s, i << 16));
	teardown(&b);
}

/* @nr processes, numbered from 1, with as many mappings as the first one. */
static void fork_processes(struct bench *b, u32 nr, u32 nr_maps)
{
	for (u32 i = 0; i < nr_maps; i++)
		map_at(b, 0x10000 + i * 0x2000ULL, 0x1000, PROT_EXEC);
	for (u32 pid = 2; pid <= nr; pid++) {
		builder__at(b->f.b, pid, pid, 0, 1);
		builder__fork(b->f.b, 1, 1);
	}
	fixture__feed(&b->f);
}

/* False: it was not to be had. */
static bool sample_of(struct bench *b, u32 pid)
{
	const struct thread *t = machine__thread(b->f.m, pid, pid);
	struct unwind_space *s = address_spaces__get(b->sp, t);

	TEST_TRUE(!address_spaces__evicts(b->sp, t));
	TEST_TRUE(!s || unwind_space__find(s, 0x10000));
	return s;
}

/* Some more than are kept in any case, each with so many that they have no room together. */
TEST(address_spaces_evicts, "spaces: those of the processes that were used last are kept")
{
	const u32 nr = ADDRESS_SPACES_MIN + 2, nr_maps = 4096;
	struct bench b;

	setup(&b);
	fork_processes(&b, nr, nr_maps);
	for (u32 pid = 1; pid <= nr; pid++) {
		TEST_EQ(address_spaces__evicts(b.sp, machine__thread(b.f.m, pid, pid)),
			pid > ADDRESS_SPACES_MIN);
		TEST_TRUE(sample_of(&b, pid));
	}
	TEST_TRUE(address_spaces__evicts(b.sp, machine__thread(b.f.m, 2, 2)));
	TEST_TRUE(!address_spaces__evicts(b.sp, machine__thread(b.f.m, 3, 3)));
	/* Used again, it is not the next one to go. */
	TEST_TRUE(sample_of(&b, 3) && sample_of(&b, 1));
	TEST_TRUE(!address_spaces__evicts(b.sp, machine__thread(b.f.m, 3, 3)));
	TEST_TRUE(address_spaces__evicts(b.sp, machine__thread(b.f.m, 4, 4)));
	teardown(&b);
}

/* Mappings that are looked at when @nr processes are sampled in turns, and samples without. */
static u64 cost_of_turns(u32 nr, u32 nr_maps, u32 turns, u32 *without)
{
	struct bench b;
	u64 cost;

	setup(&b);
	fork_processes(&b, nr, nr_maps);
	*without = 0;
	for (u32 i = 0; i < turns; i++)
		for (u32 pid = 1; pid <= nr; pid++)
			*without += !sample_of(&b, pid);
	cost = address_spaces__nr_looked_at(b.sp);
	teardown(&b);
	return cost;
}

TEST(address_spaces_turns, "spaces: processes that are sampled in turns are read once each")
{
	u32 without;

	for (u32 nr = 2 * ADDRESS_SPACES_MIN; nr <= 8 * ADDRESS_SPACES_MIN; nr *= 2) {
		TEST_EQ(cost_of_turns(nr, 100, 5, &without), nr * 100);
		TEST_EQ(without, 0);
	}
}

/* More than can be kept: 2 and 4 million for each turn. */
TEST(address_spaces_flood, "spaces: too many mappings of too many processes have a limit")
{
	const u32 nr_maps = 16384, turns = 3;
	u64 samples;
	u32 without, times = 2 * test__share(2);

	for (u32 nr = 2 * ADDRESS_SPACES_MIN; nr <= 4 * ADDRESS_SPACES_MIN; nr *= times) {
		samples = nr * turns;
		TEST_TRUE(cost_of_turns(nr, nr_maps, turns, &without) <=
			  (1ULL << 22) + samples * 1024);
		TEST_TRUE(without > samples / 8 && without < samples);
	}
}

enum order { UPWARDS, BOTH_ENDS, CUTTING, NR_ORDERS };

/* Mappings that are looked at for @n new ones with a sample behind each @batch of them. */
static u64 cost_of_maps(u32 n, u32 batch, enum order order)
{
	struct bench b;
	u64 cost;

	setup(&b);
	if (order == CUTTING)
		map_at(&b, 0x1000, 0x1000ULL * 4 * n, PROT_EXEC);
	for (u32 i = 0; i < n; i++) {
		u64 at = order == BOTH_ENDS && i & 1 ? 2 * n - i : i;

		if (order == CUTTING)
			at = 2 * n - i;
		map_at(&b, (2 * at + 2) << 12, 0x1000, PROT_EXEC);
		if (i % batch == batch - 1)
			sample(&b);
	}
	expect_same(&b);
	cost = address_spaces__nr_looked_at(b.sp);
	teardown(&b);
	return cost;
}

TEST(address_spaces_growth, "spaces: mappings and samples in turns cost no square")
{
	static const u32 batches[] = { 1, 2, 50, 100, 500 };

	for (u32 n = 1000; n <= 4000; n *= 2)
		for (size_t i = 0; i < ARRAY_SIZE(batches); i++)
			for (enum order order = 0; order < NR_ORDERS; order++)
				TEST_TRUE(cost_of_maps(n, batches[i], order) <= 12 * n);
}

/* Knows 32 kB around any address. */
static bool find_part(void *ctx, const struct sample *s, const struct thread *t,
		      const struct map *map, u64 addr, struct unwind_mapping *out)
{
	(void)ctx;
	(void)s;
	(void)t;
	*out = (struct unwind_mapping){
		.start = max_of(addr & ~0x7fffULL, map->start),
		.end = min_of((addr & ~0x7fffULL) + 0x8000, map->end),
		.module = LIVE_CODE_FIRST,
	};
	return true;
}

static bool not_stood(void *ctx, const struct sample *s, bool *sure)
{
	(void)ctx;
	(void)s;
	*sure = false;
	return false;
}

static int open_none(void *ctx, u32 module)
{
	(void)ctx;
	(void)module;
	return -ENOENT;
}

TEST(address_spaces_live_code, "spaces: code in memory that was read takes nothing away beside it")
{
	const struct live_code code = { .find = find_part, .stood = not_stood, .open = open_none };
	const u64 start = 0x100000, len = 0x80000;
	u64 ips[8] = { start + 0x10, start + 0x20000, start + len - 1 };
	u8 methods[8] = {};
	struct unwind_chain chain = {
		.ips = ips, .methods = methods, .max = 8, .nr = 3, .stop = UNWIND_NO_MODULE,
	};
	const struct sample none = {};
	struct unwind_space *s;
	struct bench b;

	setup(&b);
	builder__mmap2(b.f.b, &(struct mmap_record){ .start = start, .len = len,
						     .prot = PROT_EXEC | PROT_WRITE,
						     .filename = "//anon" });
	map_at(&b, start - 0x1000, 0x1000, PROT_EXEC);
	map_at(&b, start + len, 0x1000, PROT_EXEC);
	s = sample(&b);
	TEST_TRUE(!live_code__walk(&code, &none, machine__thread(b.f.m, 1, 1), b.u, s, &chain));
	TEST_EQ(unwind_space__nr(s), 3);
	for (u64 at = start - 0x1000; at < start + len + 0x1000; at += 0x1000)
		TEST_TRUE(unwind_space__find(s, at));
	TEST_EQ(unwind_space__find(s, start)->end, start + len);
	teardown(&b);
}
