// SPDX-License-Identifier: GPL-2.0-only
/* The rows in the maps of the program that walks user stacks: what comes in, and is forgotten. */
#include <errno.h>
#include <unistd.h>

#include "../../../lib/unwind/space/backend.h"
#include "../../util/bpf-walk/walk-rows.h"
#include "../lib/walk-bench.h"
#include "../test.h"

#define NR_CHUNKS (WALK_FIRST_CHUNKS + 1)

struct rows_bench {
	struct bench walk;
	struct walk_program program;
	struct walk_rows w;
	const struct walk_map *map; /* of the code in walk */
	u64 vaddr;                  /* of a function in it */
};

static void setup(struct rows_bench *b)
{
	const struct walk_program_opts opts = {
		.nr_cpus = sysconf(_SC_NPROCESSORS_CONF), .nr_chunks = NR_CHUNKS,
	};
	struct walk_map *map;
	struct error err = {};
	int ret;

	*b = (struct rows_bench){};
	ret = walk_program__load(&b->program, &opts, &err);
	ret = ret ? ret : walk_rows__init(&b->w, &b->program, &err);
	if (ret) {
		walk_rows__free(&b->w);
		walk_program__close(&b->program);
		if (ret == -EPERM || ret == -EOPNOTSUPP || ret == -ENOSYS)
			TEST_SKIP("%s", err.text);
		TEST_FAIL("%s", err.text);
	}
	bench__x86(&b->walk, AT(0, 0x10));
	FUNCTION(&b->walk, 0, 0x0e, 32);
	bench__open(&b->walk, "x86_64", "table");
	map = (struct walk_map *)unwind_space__find(b->walk.space, AT(0, 0x10));
	TEST_TRUE(map && walk_map__open(b->walk.space, map) && map->rows);
	b->map = map;
	b->vaddr = ELF_TEXT + 0x10;
}

static void teardown(struct rows_bench *b)
{
	walk_rows__free(&b->w);
	walk_program__close(&b->program);
	bench__close(&b->walk);
}

/* Where the rows of the function are; 0: nowhere. */
static walk_page_place place(struct rows_bench *b)
{
	const struct walk_module *m = walk_rows__module(&b->w, b->map);

	TEST_TRUE(m && m->spans.nr == 1);
	return b->w.pages[m->spans.v[0].page];
}

TEST(bpf_walk_rows_forget, "bpf walk: rows are put in once, and those of a module are forgotten")
{
	struct rows_bench b;
	u32 module;

	setup(&b);
	TEST_EQ(place(&b), 0);
	walk_rows__add_near(&b.w, b.map, b.vaddr);
	TEST_TRUE(place(&b));
	TEST_EQ(b.w.made, 1);
	walk_rows__add_near(&b.w, b.map, b.vaddr);
	walk_rows__go_on(&b.w);
	TEST_EQ(b.w.made, 1);
	module = b.map->at.module;
	walk_rows__forget(&b.w, module + 1);
	TEST_TRUE(place(&b));
	walk_rows__forget(&b.w, module);
	TEST_EQ(b.w.pages[0], 0);
	TEST_EQ(place(&b), 0); /* it begins anew */
	walk_rows__add_near(&b.w, b.map, b.vaddr);
	TEST_TRUE(place(&b));
	TEST_EQ(b.w.made, 2);
	TEST_TRUE(!b.w.full);
	teardown(&b);
}

TEST(bpf_walk_rows_full, "bpf walk: rows get more memory up to a limit, then all begin anew")
{
	struct rows_bench b;

	setup(&b);
	/* As if those that are there from the beginning had been filled. */
	b.w.chunk = WALK_FIRST_CHUNKS - 1;
	b.w.used = WALK_CHUNK;
	walk_rows__add_near(&b.w, b.map, b.vaddr);
	TEST_EQ(place(&b) >> WALK_CHUNK_SHIFT, WALK_FIRST_CHUNKS);
	TEST_EQ(b.w.chunks.nr, NR_CHUNKS);
	TEST_TRUE(!b.w.full);
	/* And the last one. */
	walk_rows__forget(&b.w, b.map->at.module);
	b.w.used = WALK_CHUNK;
	walk_rows__add_near(&b.w, b.map, b.vaddr);
	TEST_EQ(place(&b), 0);
	TEST_TRUE(b.w.full);
	TEST_EQ(b.w.chunks.nr, NR_CHUNKS);
	walk_rows__clear(&b.w);
	TEST_TRUE(!b.w.full && !b.w.nr_pages);
	walk_rows__add_near(&b.w, b.map, b.vaddr);
	TEST_EQ(place(&b) >> WALK_CHUNK_SHIFT, 0);
	TEST_TRUE(place(&b));
	/* The memory stays for the next time. */
	TEST_EQ(b.w.chunks.nr, NR_CHUNKS);
	teardown(&b);
}

TEST(bpf_walk_rows_other, "bpf walk: a module with another table gets room when all begin anew")
{
	struct walk_map other;
	struct rows_bench b;

	setup(&b);
	walk_rows__add_near(&b.w, b.map, b.vaddr);
	other = *b.map;
	other.rows = NULL;
	TEST_TRUE(!walk_rows__module(&b.w, &other));
	TEST_TRUE(b.w.full && b.w.pages[0]);
	walk_rows__clear(&b.w);
	TEST_EQ(b.w.pages[0], 0);
	TEST_TRUE(!b.w.full);
	teardown(&b);
}
