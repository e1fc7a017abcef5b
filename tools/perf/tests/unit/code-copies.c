// SPDX-License-Identifier: GPL-2.0-only
/* Copies of code that a program has in memory: which are kept, and when one counts. */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../util/io/process-memory.h"
#include "../../util/jit/code-copies.h"
#include "../lib/machine-fixture.h"

#define MOST 256
#define SECOND 1000000000ULL

struct copies {
	struct fixture f;
	struct code_copies *c;
	struct map map;          /* of MOST + 1 pieces, in this process */
	struct thread *t;
	u64 passes;
};

static void setup(struct copies *x)
{
	size_t size = (MOST + 2) * (size_t)PROCESS_MEMORY_MAX;
	u64 mem = (u64)mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	x->f = fixture__setup();
	x->c = code_copies__new();
	mem = (mem + PROCESS_MEMORY_MAX - 1) & -(u64)PROCESS_MEMORY_MAX;
	x->map = (struct map){ .start = mem, .end = mem + (MOST + 1) * PROCESS_MEMORY_MAX,
			       .prot = PROT_READ | PROT_EXEC };
	x->t = machine__thread(x->f.m, getpid(), getpid());
	x->passes = 0;
}

static void teardown(struct copies *x)
{
	code_copies__free(x->c);
	fixture__teardown(&x->f);
}

/* A sample in piece @i. Returns whether there was a copy that was made before. */
static bool find(struct copies *x, u32 i, u64 time, struct code_copy *out)
{
	const struct sample s = { .tid = getpid(), .time = time };

	return code_copies__find(x->c, &s, x->t, &x->map,
				 x->map.start + i * (u64)PROCESS_MEMORY_MAX + 8, x->passes, out);
}

/* All that came until @time has been seen. */
static void pass(struct copies *x, u64 time)
{
	x->passes += 4;
	code_copies__passed(x->c, x->passes, time);
}

TEST(code_copies_reused, "code copies: a new one takes the place of one that was forgotten")
{
	struct code_copy found, first;
	struct copies x;

	setup(&x);
	for (u32 i = 0; i < MOST; i++)
		TEST_TRUE(!find(&x, i, 10, &found));
	TEST_EQ(code_copies__nr(x.c), MOST);
	pass(&x, 20);
	TEST_TRUE(!find(&x, 0, 20, &first)); /* perhaps of before */
	TEST_TRUE(find(&x, 0, 21, &first));
	TEST_EQ(first.number, 0);
	TEST_EQ(first.start, x.map.start);
	TEST_TRUE(code_copies__fd(x.c, first.number) >= 0);
	/* There is no room, and none is taken from the same process. */
	TEST_TRUE(!find(&x, MOST, 10 * SECOND, &found));
	TEST_EQ(code_copies__nr(x.c), MOST);
	code_copies__mapped(x.c, getpid(), first.start, first.end);
	TEST_TRUE(!find(&x, MOST, 10 * SECOND, &found));
	TEST_EQ(code_copies__nr(x.c), MOST + 1);
	pass(&x, 11 * SECOND);
	TEST_TRUE(find(&x, MOST, 12 * SECOND, &found));
	TEST_EQ(found.number, MOST); /* and not 0, of which the unwinder knows other code */
	TEST_TRUE(code_copies__fd(x.c, MOST) >= 0);
	TEST_EQ(code_copies__fd(x.c, 0), -ENOENT);
	TEST_TRUE(code_copies__fd(x.c, 1) >= 0);
	teardown(&x);
}

TEST(code_copies_other_process, "code copies: a new one takes the place of another process's")
{
	struct code_copy found;
	struct copies x;

	setup(&x);
	for (u32 i = 0; i < MOST; i++)
		TEST_TRUE(!find(&x, i, 10 + i, &found));
	x.t = machine__thread(x.f.m, getpid() + 1, getpid());
	TEST_TRUE(!find(&x, 0, SECOND, &found));
	TEST_EQ(code_copies__nr(x.c), MOST); /* all are in use */
	TEST_TRUE(!find(&x, 0, SECOND + 11, &found));
	TEST_EQ(code_copies__nr(x.c), MOST + 1);
	TEST_EQ(code_copies__fd(x.c, 0), -ENOENT); /* unused for longest */
	TEST_TRUE(code_copies__fd(x.c, 1) >= 0);
	teardown(&x);
}
