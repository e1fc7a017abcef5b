// SPDX-License-Identifier: GPL-2.0-only
/* Call trees, beside sums that are made stack by stack. */
#include <stdlib.h>

#include "../../util/profile/chain-tree.h"
#include "../test.h"

#define STACKS 60
#define LONGEST 30
#define THREADS 2

/* Its frames are addresses, innermost first. */
struct stack {
	u32 tid, nr, period;
	u8 v[LONGEST];
};

struct stacks_and_trees {
	struct stack v[STACKS];
	struct hist hist;
	struct chain_tree tree;
	bool children, caller_order;
};

/* Stacks of one end; @inner: of the innermost frames. */
static void make_stacks(struct stacks_and_trees *s, bool inner)
{
	for (u32 i = 0; i < STACKS; i++) {
		struct stack *at = &s->v[i];

		*at = (struct stack){
			.tid = random() % THREADS, .nr = 1 + random() % LONGEST,
			.period = 1 + random() % 9,
		};
		for (u32 k = 0; k < at->nr; k++) {
			u32 depth = inner ? k : at->nr - 1 - k;

			at->v[k] = depth < LONGEST / 2 ? 1 + depth % 5 : 1 + random() % 8;
		}
	}
}

static void add_stacks(struct stacks_and_trees *s)
{
	struct hist_opts opts = { .children = s->children, .caller_order = s->caller_order };

	TEST_EQ(column_list__parse(&opts.keys, "tid,sym", NULL), 0);
	opts.order = opts.keys;
	hist__init(&s->hist, &opts);
	for (u32 i = 0; i < STACKS; i++) {
		struct hist_context context = { .comm = "tree", .tid = s->v[i].tid };
		struct frame v[LONGEST];
		struct frames chain = { .f = { v, s->v[i].nr } };

		for (u32 k = 0; k < s->v[i].nr; k++)
			v[k] = (struct frame){ .ip = s->v[i].v[k], .loc.addr = s->v[i].v[k] };
		hist__add(&s->hist, &context, &chain, &v[0], s->v[i].period);
	}
	hist__finish(&s->hist);
	chain_tree__init(&s->tree, &s->hist, s->caller_order, 0);
}

/*
 * Whether the stack's part in the tree of a function begins with @path: its own samples have their
 * whole stacks, others what is on this side of the function.
 */
static bool begins_with(const struct stacks_and_trees *s, const struct stack *at, u8 function,
			const u8 *path, u32 nr)
{
	u32 first = 0, last = at->nr - 1;

	if (at->v[0] != function) {
		if (!s->children)
			return false;
		while (first < at->nr && at->v[first] != function)
			first++;
		if (first == at->nr)
			return false;
		while (at->v[last] != function)
			last--;
		first = s->caller_order ? 0 : first;
		last = s->caller_order ? last : at->nr - 1;
	}
	if (nr > last - first + 1)
		return false;
	for (u32 i = 0; i < nr; i++)
		if (path[i] != at->v[s->caller_order ? last - i : first + i])
			return false;
	return true;
}

static u64 sum_of(const struct stacks_and_trees *s, const struct hist_entry *e, const u8 *path,
		  u32 nr)
{
	u8 function = hist__frame(&s->hist, e)->ip;
	u64 sum = 0;

	for (u32 i = 0; i < STACKS; i++)
		if (s->v[i].tid == hist__context(&s->hist, e)->tid &&
		    begins_with(s, &s->v[i], function, path, nr))
			sum += s->v[i].period;
	return sum;
}

/* All nodes have the right sums, and together they have all that the function has. */
static void expect_tree(struct stacks_and_trees *s, const struct hist_entry *e)
{
	const struct chain_node *n;
	u8 path[LONGEST];
	u64 ends = 0;

	chain_tree__build(&s->tree, e, 0, 0);
	n = s->tree.nodes.v;
	for (u32 i = 1; i < s->tree.nodes.nr; i++) {
		for (u32 at = i; at; at = n[at].parent)
			path[n[at].depth - 1] = s->hist.stacks.frames.v[n[at].frame].ip;
		TEST_EQ(n[i].period_all, sum_of(s, e, path, n[i].depth));
		ends += n[i].period;
	}
	TEST_EQ(ends, sum_of(s, e, path, 0));
	TEST_EQ(ends, s->children ? e->period_all : e->period);
}

TEST(chain_tree_sums, "call trees: each node has the samples of the stacks that lead there")
{
	u32 nr_inner = 0, nr_outer = 0;

	srandom(38);
	for (u32 which = 0; which < 40; which++) {
		struct stacks_and_trees s = { .children = which & 1, .caller_order = which & 2 };

		make_stacks(&s, which & 4);
		add_stacks(&s);
		for (size_t i = 0; i < s.hist.sorted.nr; i++)
			expect_tree(&s, &s.hist.entries.v[s.hist.sorted.v[i]]);
		nr_inner += s.children && s.tree.trie.from_inner;
		nr_outer += s.children && !s.tree.trie.from_inner;
		chain_tree__free(&s.tree);
		hist__free(&s.hist);
	}
	TEST_TRUE(nr_inner && nr_outer);
}

TEST(stack_lists, "stacks: equal ones are one record, and their frames come back")
{
	struct stacks_and_trees s = {};
	u32 nr = 0;

	srandom(39);
	make_stacks(&s, false);
	add_stacks(&s);
	stacks__make_lists(&s.hist.stacks);
	for (u32 i = 1; i < s.hist.stacks.records.nr; i++) {
		const struct stack_record *r = &s.hist.stacks.records.v[i];
		const u32 *frames = stacks__frames_of(&s.hist.stacks, r);
		u64 period = 0;

		for (u32 k = 0; k < STACKS; k++) {
			bool same = s.v[k].nr == r->nr_frames &&
				    s.v[k].tid == s.hist.contexts.v[r->context].tid;

			for (u32 f = 0; same && f < r->nr_frames; f++)
				same = s.v[k].v[f] == s.hist.stacks.frames.v[frames[f]].ip;
			period += same ? s.v[k].period : 0;
			nr += same;
		}
		TEST_EQ(period, r->period);
	}
	TEST_EQ(nr, STACKS);
	chain_tree__free(&s.tree);
	hist__free(&s.hist);
}
