// SPDX-License-Identifier: GPL-2.0-only
/* What it costs to look for lists of code that is registered for debuggers. */
#include <sys/mman.h>

#include "../../util/jit/gdb-jit.h"
#include "../lib/machine-fixture.h"

#define LOOK_NS 10000000ULL /* between two looks at a process */

struct bench {
	struct fixture f;
	struct gdb_jit *g;
	u64 now; /* of the recording */
};

static u64 now_of(void *ctx)
{
	return ((struct bench *)ctx)->now;
}

static void setup(struct bench *b)
{
	b->f = fixture__setup();
	b->f.s = symbols__new(&(struct symbols_opts){}, b->f.m);
	b->now = 1;
	b->g = gdb_jit__new(&(struct gdb_jit_opts){
		.machine = b->f.m, .binaries = symbols__binaries(b->f.s), .now = now_of, .ctx = b,
	});
}

static void teardown(struct bench *b)
{
	gdb_jit__free(b->g);
	fixture__teardown(&b->f);
}

static void map_code(struct bench *b, u64 start)
{
	builder__mmap2(b->f.b, &(struct mmap_record){
		.start = start, .len = 0x1000, .pgoff = start, .prot = PROT_EXEC,
		.filename = "/nosuch/prog",
	});
}

static void look(struct bench *b, u32 pid)
{
	TEST_EQ(gdb_jit__look(b->g, machine__thread(b->f.m, pid, pid), b->now), 0);
}

/*
 * Mappings that are looked at in @turns of 10 ms, each with a sample of @nr processes that have
 * just mapped something; they have @nr_maps each.
 */
static u64 cost(u32 nr, u32 nr_maps, u32 turns)
{
	struct bench b;
	u64 n;

	setup(&b);
	builder__at(b.f.b, 1, 1, 0, 1);
	for (u32 i = 0; i < nr_maps; i++)
		map_code(&b, 0x10000 + i * 0x2000ULL);
	for (u32 pid = 2; pid <= nr; pid++) {
		builder__at(b.f.b, pid, pid, 0, 1);
		builder__fork(b.f.b, 1, 1);
	}
	fixture__feed(&b.f);
	for (u32 i = 0; i < turns; i++, b.now += LOOK_NS)
		for (u32 pid = 1; pid <= nr; pid++) {
			builder__at(b.f.b, pid, pid, 0, 1);
			map_code(&b, 0x1000);
			fixture__feed(&b.f);
			gdb_jit__exit(b.g, pid); /* whatever the time is here, look at it */
			look(&b, pid);
		}
	n = gdb_jit__nr_maps(b.g);
	teardown(&b);
	return n;
}

/* A million a second; before and at the end some more, which are those of one process at most. */
TEST(gdb_jit_growth, "gdb-jit: mappings are looked at for a part of the time, of any process")
{
	const u32 turns = 20, nr_maps = 4000;

	for (u32 nr = 4; nr <= 16; nr *= 2)
		TEST_TRUE(cost(nr, nr_maps, turns) <=
			  (turns + 1) * LOOK_NS / 1000 + nr_maps + turns);
	/* Few mappings are looked at each time. */
	TEST_EQ(cost(4, 100, turns), 4 * turns * 101);
}
