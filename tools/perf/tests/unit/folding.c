// SPDX-License-Identifier: GPL-2.0-only
/* stack/folding.h: against what its words say, done by hand. */
#include <stdlib.h>
#include <string.h>

#include "../../util/stack/folding.h"
#include "../test.h"

#define FUNCTIONS 12
#define LONGEST 40

/*
 * Folds a stack into @out. Functions from @held on are those that folding__hold() is told of.
 * Returns the number of functions left.
 */
static u32 fold_by_hand(const u32 *stack, u32 nr, u32 held, u32 *out)
{
	u32 to = 0;

	for (u32 i = 0; i < nr; i++) {
		u32 at = to;

		while (at && out[at - 1] != stack[i] && (stack[i] >= held || out[at - 1] < held))
			at--;
		if (!at || out[at - 1] != stack[i]) {
			at = to + 1;
			out[to] = stack[i];
		}
		to = at;
	}
	return to;
}

static void expect_path(const struct folding *f, u32 node, const u32 *want, u32 nr)
{
	TEST_EQ(f->v.v[node].depth, nr);
	for (; nr--; node = f->v.v[node].parent)
		TEST_EQ(f->v.v[node].function, want[nr]);
	TEST_EQ(node, 0);
}

/* Returns how often the stack comes to @path, which is @nr long, when it is folded by hand. */
static u32 count(const u32 *stack, u32 of, u32 held, const u32 *path, u32 nr)
{
	u32 out[LONGEST], times = 0;

	for (u32 i = 1; i <= of; i++)
		times += fold_by_hand(stack, i, held, out) == nr &&
			 !memcmp(out, path, nr * sizeof(*path));
	return times;
}

static void fold_random(struct folding *f, u32 held)
{
	u32 stack[LONGEST], want[LONGEST];

	for (u32 i = 0; i < 10000; i++) {
		u32 nr = random() % (LONGEST + 1), few = 1 + random() % FUNCTIONS;
		u32 node, left;

		for (u32 k = 0; k < nr; k++)
			stack[k] = random() % few;
		node = folding__stack(f, stack, nr);
		left = fold_by_hand(stack, nr, held, want);
		expect_path(f, node, want, left);
		for (; node; node = f->v.v[node].parent, left--)
			TEST_TRUE(f->v.v[node].times >= count(stack, nr, held, want, left));
	}
}

TEST(folding_random, "folding: random stacks are those that are folded by hand")
{
	srandom(7);
	for (u32 held = FUNCTIONS; held; held -= 4) {
		struct folding f = {};

		folding__init(&f, FUNCTIONS);
		for (u32 i = held; i < FUNCTIONS; i++)
			folding__hold(&f, i);
		fold_random(&f, held);
		folding__free(&f);
	}
}

TEST(folding_size, "folding: deep recursion takes no memory, other stacks that of what differs")
{
	u32 stack[2000], made[] = { 0, 0 };

	for (int all = 0; all < 2; all++) {
		struct folding f = { .keeps_all = all };

		folding__init(&f, 4);
		/* Recursion of each depth: by frames of stacks these are 2 million. */
		for (u32 depth = 2; depth < 2000; depth++) {
			for (u32 i = 0; i < depth; i++)
				stack[i] = !i ? 0 : i + 1 == depth ? 3 : 1 + i % 2;
			folding__stack(&f, stack, depth);
		}
		made[all] = f.v.nr;
		TEST_EQ(f.v.v[f.v.nr - 1].times > 0, 1);
		folding__free(&f);
	}
	TEST_TRUE(made[0] < 10);
	TEST_TRUE(made[1] < 2 * 2000 + 2);
}
