// SPDX-License-Identifier: GPL-2.0-only
/* What is known of a process's tables that stacks are walked by, and what of a chain they prove. */
#include "../../util/bpf-walk/walk-ranges.h"
#include "../../util/state/maps.h"
#include "../test.h"

static const struct dso dsos[] = {
	{ .id = 0, .kind = DSO_USER, .name = "/main" },
	{ .id = 1, .kind = DSO_USER, .name = "/a.so" },
	{ .id = 2, .kind = DSO_USER, .name = "/b.so" },
};
static const struct dso later = { .id = 1, .kind = DSO_USER, .name = "/c.so" };

enum { MAIN, A, B };

/* A process with its mappings: at 0x1000 the program, at 0x5000 a plugin, 0x1000 bytes each. */
struct process {
	struct map_pool pool;
	struct maps *maps;
	struct walk_modules modules;
	struct walk_ranges r;
};

static void put(struct process *p, u64 at, const struct dso *dso)
{
	maps__insert(p->maps, &(struct map){ .start = at, .end = at + 0x1000, .dso = dso });
	walk_ranges__update(&p->r, &p->modules, p->maps);
}

static void begin(struct process *p)
{
	*p = (struct process){ .pool = { .arena = arena__new() } };
	p->maps = maps__new(&p->pool, 0);
	walk_ranges__begin(&p->r, p->maps);
	put(p, 0x1000, &dsos[MAIN]);
}

static void end(struct process *p)
{
	walk_ranges__free(&p->r);
	vec__free(&p->modules.forgotten);
	maps__put(p->maps);
	arena__free(p->pool.arena);
}

/* The next table is of the mappings as they are. Returns whether it is another one. */
static bool tell(struct process *p, u32 number)
{
	struct walk_range v[8] = {};
	size_t nr = 0;

	for (const struct map *m = maps__next(p->maps, 0); m; m = maps__next(p->maps, m->end))
		v[nr++] = (struct walk_range){
			.key = m->start, .end = m->end, .map_start = m->start, .map_end = m->end,
			.module = m->dso->id,
			.module_serial = walk_modules__serial(&p->modules, m->dso->id),
		};
	if (!walk_ranges__take(&p->r, v, nr, number))
		return false;
	walk_ranges__number(&p->r, number);
	return true;
}

/* How much is true of a chain main, plugin, main, main that was walked by a table. */
static u64 judged(const struct process *p, u32 number)
{
	static const u64 ips[] = { 0x1010, 0x5020, 0x1030, 0x1040 };

	return walk_ranges__judge(&p->r, &p->modules, p->maps, number, ips, ARRAY_SIZE(ips));
}

/* The same of one that was never in the plugin. */
static u64 judged_main(const struct process *p, u32 number)
{
	static const u64 ips[] = { 0x1010, 0x1030, 0x1040 };

	return walk_ranges__judge(&p->r, &p->modules, p->maps, number, ips, ARRAY_SIZE(ips));
}

TEST(bpf_walk_ranges_reload, "bpf walk: a chain ends at the first mapping that is not its table's")
{
	struct process p;

	begin(&p);
	put(&p, 0x5000, &dsos[A]);
	TEST_TRUE(tell(&p, 1));
	TEST_TRUE(!tell(&p, 2));
	TEST_TRUE(walk_ranges__hold(&p.r, 1));
	TEST_EQ(judged(&p, 1), 4);
	put(&p, 0x5000, &dsos[B]);
	TEST_TRUE(!walk_ranges__hold(&p.r, 1));
	TEST_EQ(p.r.nr_broken, 1);
	TEST_EQ(judged(&p, 1), 2); /* the call into the plugin is one of the program's */
	TEST_EQ(judged_main(&p, 1), 3);
	/* With the next table: chains by the one before are judged by what that had. */
	TEST_TRUE(tell(&p, 2));
	TEST_TRUE(walk_ranges__hold(&p.r, 2));
	TEST_TRUE(!walk_ranges__hold(&p.r, 1));
	TEST_EQ(judged(&p, 2), 4);
	TEST_EQ(judged(&p, 1), 2);
	TEST_EQ(judged_main(&p, 1), 3);
	/* What a table says is true again when the plugin is back. */
	put(&p, 0x5000, &dsos[A]);
	TEST_EQ(judged(&p, 1), 4);
	TEST_EQ(judged(&p, 2), 2);
	/* Nothing is known of tables that were never there, or are not yet. */
	TEST_EQ(judged_main(&p, 0), 1);
	TEST_EQ(judged_main(&p, 3), 1);
	end(&p);
}

TEST(bpf_walk_ranges_new, "bpf walk: a mapping where there was none changes nothing")
{
	struct process p;

	begin(&p);
	TEST_TRUE(tell(&p, 4));
	put(&p, 0x5000, &dsos[A]);
	TEST_TRUE(walk_ranges__hold(&p.r, 4));
	TEST_TRUE(tell(&p, 7));
	TEST_TRUE(walk_ranges__hold(&p.r, 4) && walk_ranges__hold(&p.r, 7));
	TEST_EQ(judged(&p, 4), 2); /* no such table leads through the plugin */
	end(&p);
}

TEST(bpf_walk_ranges_forgotten, "bpf walk: a module with a forgotten one's number is another one")
{
	struct process p;

	begin(&p);
	put(&p, 0x5000, &dsos[A]);
	TEST_TRUE(tell(&p, 1));
	put(&p, 0x5000, &dsos[B]);
	walk_modules__forget(&p.modules, 1);
	put(&p, 0x5000, &later);
	TEST_EQ(judged(&p, 1), 2);
	TEST_TRUE(tell(&p, 2));
	TEST_EQ(judged(&p, 2), 4);
	end(&p);
}

TEST(bpf_walk_ranges_child, "bpf walk: a child has its parent's tables, but for what it replaces")
{
	struct process p, child;

	begin(&p);
	begin(&child);
	put(&p, 0x5000, &dsos[A]);
	tell(&p, 1);
	TEST_TRUE(walk_ranges__fit(&p.r, &p.modules, child.maps)); /* it has nothing there */
	walk_ranges__copy(&child.r, &p.r);
	put(&child, 0x5000, &dsos[B]);
	TEST_TRUE(!walk_ranges__fit(&p.r, &p.modules, child.maps));
	TEST_EQ(judged(&child, 1), 2);
	TEST_EQ(judged_main(&child, 1), 3);
	TEST_EQ(judged(&p, 1), 4);
	end(&child);
	end(&p);
}

TEST(bpf_walk_ranges_bounded, "bpf walk: of a process that goes on remapping few tables are known")
{
	struct process p;
	size_t most = 0;

	begin(&p);
	for (u32 i = 1; i < 5000; i++) {
		put(&p, 0x5000, &dsos[i % 2 ? A : B]);
		TEST_TRUE(tell(&p, i));
		TEST_EQ(judged(&p, i), 4);
		most = max_of(most, p.r.gone.nr);
	}
	TEST_TRUE(most <= 300);
	TEST_EQ(judged_main(&p, 1), 1); /* too long ago */
	TEST_EQ(judged_main(&p, 4990), 3);
	end(&p);
}
