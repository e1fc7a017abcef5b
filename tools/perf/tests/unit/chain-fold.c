// SPDX-License-Identifier: GPL-2.0-only
/* Call trees whose recursion is folded: sums are those of the trees that are not. */
#include <stdio.h>
#include <stdlib.h>

#include "../../util/text/report-text.h"
#include "../test.h"

#define FUNCTIONS 7
#define LONGEST 24

static void hist__make(struct hist *h, bool children, bool caller_order)
{
	struct hist_opts opts = { .children = children, .caller_order = caller_order };

	TEST_EQ(column_list__parse(&opts.keys, "sym", NULL), 0);
	opts.order = opts.keys;
	column_list__add_first(&opts.order, children ? COLUMN_OVERHEAD_CHILDREN : COLUMN_OVERHEAD);
	hist__init(h, &opts);
}

/* @stack: addresses of one digit, outermost first */
static void add(struct hist *h, const char *stack, u64 period)
{
	struct hist_context context = { .comm = "fold" };
	struct frame v[LONGEST];
	struct frames chain = { .f = { v, 0 } };

	for (size_t i = strlen(stack); i--;)
		v[chain.f.nr++] = (struct frame){ .ip = stack[i], .loc = { .addr = stack[i] } };
	hist__add(h, &context, &chain, &v[0], period);
}

static void add_random(struct hist *h)
{
	for (u32 i = 0; i < 300; i++) {
		char stack[LONGEST + 1] = {};
		u32 nr = 1 + random() % LONGEST, few = 1 + random() % FUNCTIONS;

		for (u32 k = 0; k < nr; k++)
			stack[k] = 'a' + random() % few;
		add(h, stack, 1 + random() % 9);
	}
}

static void expect_no_recursion(const struct chain_tree *t, u32 node)
{
	u32 seen = 0;

	for (; node; node = t->nodes.v[node].parent) {
		u64 ip = t->hist->stacks.frames.v[t->nodes.v[node].frame].ip;

		TEST_TRUE(!(seen & 1u << (ip - 'a')));
		seen |= 1u << (ip - 'a');
	}
}

TEST(chain_fold_sums, "call trees: folded, they have the same sums, and no function twice")
{
	srandom(9);
	for (u32 which = 0; which < 4; which++) {
		struct chain_tree plain, folded;
		struct hist h;

		hist__make(&h, which & 1, which & 2);
		add_random(&h);
		hist__finish(&h);
		chain_tree__init(&plain, &h, which & 2, 0);
		chain_tree__init(&folded, &h, which & 2, 0);
		folded.fold = true;
		for (size_t i = 0; i < h.sorted.nr; i++) {
			const struct hist_entry *e = &h.entries.v[h.sorted.v[i]];

			chain_tree__build(&plain, e, 0, 0);
			chain_tree__build(&folded, e, 0, 0);
			TEST_EQ(folded.nodes.v[0].period_all, plain.nodes.v[0].period_all);
			TEST_EQ(folded.nodes.v[0].nr_all, plain.nodes.v[0].nr_all);
			TEST_EQ(folded.nodes.v[0].period_all,
				which & 1 ? e->period_all : e->period);
			TEST_TRUE(folded.nodes.nr <= plain.nodes.nr);
			for (u32 n = 1; n < folded.nodes.nr; n++)
				expect_no_recursion(&folded, n);
		}
		chain_tree__free(&plain);
		chain_tree__free(&folded);
		hist__free(&h);
	}
}

/* "40 m p x 3 r" */
static void put_paths(const struct chain_tree *t, char *out, size_t size)
{
	struct textbuf tb;

	textbuf__init(&tb, -1);
	for (u32 i = 1; i < t->nodes.nr; i++) {
		u32 path[LONGEST], nr = 0;

		for (u32 n = t->nodes.v[i].nr ? i : 0; n; n = t->nodes.v[n].parent)
			path[nr++] = n;
		if (nr)
			textbuf__printf(&tb, "%u", (u32)t->nodes.v[i].period);
		while (nr--) {
			const struct chain_node *n = &t->nodes.v[path[nr]];

			textbuf__printf(&tb, n->times > 1 ? " %c x %u" : " %c",
					(int)t->hist->stacks.frames.v[n->frame].ip, n->times);
		}
		textbuf__puts(&tb, t->nodes.v[i].nr ? "\n" : "");
	}
	snprintf(out, size, "%s", textbuf__str(&tb));
	textbuf__free(&tb);
}

TEST(chain_fold_paths, "call trees: with recursion folded, depths are one path, from either end")
{
	static const char *const want[] = { "10 r p x 3 m\n", "10 m p x 3 r\n" };

	for (u32 caller_order = 0; caller_order < 2; caller_order++) {
		struct chain_tree t;
		struct hist h;
		char text[200];

		hist__make(&h, true, caller_order);
		add(&h, "mpqpqpr", 4);
		add(&h, "mpppr", 3);
		add(&h, "mpr", 3);
		hist__finish(&h);
		chain_tree__init(&t, &h, caller_order, 0);
		t.fold = true;
		for (size_t i = 0; i < h.sorted.nr; i++) {
			const struct hist_entry *e = &h.entries.v[h.sorted.v[i]];

			chain_tree__build(&t, e, 0, 0);
			put_paths(&t, text, sizeof(text));
			if (hist__frame(&h, e)->ip == 'r')
				TEST_STR(text, want[caller_order]);
			if (hist__frame(&h, e)->ip == 'q')
				TEST_STR(text, caller_order ? "4 q x 2 p x 2 r\n" :
							      "4 q x 2 p x 2 m\n");
		}
		chain_tree__free(&t);
		hist__free(&h);
	}
}
