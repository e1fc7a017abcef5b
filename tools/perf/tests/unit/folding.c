// SPDX-License-Identifier: GPL-2.0-only
/* stack/folding.h: against what its words say, done by hand. */
#include <stdlib.h>

#include "../../util/stack/folding.h"
#include "../test.h"

#define FUNCTIONS 12
#define LONGEST 40

/* Folds a stack into @out. Returns the number of functions left. */
static u32 fold_by_hand(const u32 *stack, u32 nr, u32 *out)
{
	u32 to = 0, at;

	for (u32 i = 0; i < nr; i++) {
		for (at = 0; at < to && out[at] != stack[i]; at++)
			;
		out[at] = stack[i];
		to = at + 1;
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

static u32 count(const u32 *stack, u32 nr, u32 function)
{
	u32 times = 0;

	for (u32 i = 0; i < nr; i++)
		times += stack[i] == function;
	return times;
}

TEST(folding_random, "folding: random stacks are those that are folded by hand")
{
	u32 stack[LONGEST], want[LONGEST];
	struct folding f = {};

	srandom(7);
	folding__init(&f, FUNCTIONS);
	for (u32 i = 0; i < 20000; i++) {
		u32 nr = random() % (LONGEST + 1), few = 1 + random() % FUNCTIONS;
		u32 node;

		for (u32 k = 0; k < nr; k++)
			stack[k] = random() % few;
		node = folding__stack(&f, stack, nr);
		expect_path(&f, node, want, fold_by_hand(stack, nr, want));
		for (u32 n = node; n; n = f.v.v[n].parent)
			TEST_TRUE(f.v.v[n].times >= count(stack, nr, f.v.v[n].function));
	}
	folding__free(&f);
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
