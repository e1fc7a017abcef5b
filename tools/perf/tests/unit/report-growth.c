// SPDX-License-Identifier: GPL-2.0-only
/*
 * What call graphs of deep stacks cost, in steps and in bytes of text: for twice as many frames
 * at most twice as much.
 */
#include "../../util/text/report-text.h"
#include "../test.h"

#define GRAPH_FRAMES 16
#define TOOTH 1000000

struct deep {
	struct hist hist;
	VEC(struct frame) chain;
	u64 nr_frames; /* of all stacks together */
};

static void deep__init(struct deep *d, bool children, bool caller_order)
{
	struct hist_opts opts = { .children = children, .caller_order = caller_order };

	memset(d, 0, sizeof(*d));
	TEST_EQ(column_list__parse(&opts.keys, "sym", NULL), 0);
	opts.order = opts.keys;
	column_list__add_first(&opts.order, children ? COLUMN_OVERHEAD_CHILDREN : COLUMN_OVERHEAD);
	hist__init(&d->hist, &opts);
}

static void deep__free(struct deep *d)
{
	hist__free(&d->hist);
	vec__free(&d->chain);
}

static void push_frame(struct deep *d, u64 ip)
{
	*vec__push(&d->chain) = (struct frame){ .ip = ip, .loc = { .addr = ip } };
}

static void add_chain(struct deep *d)
{
	struct hist_context context = { .comm = "deep" };
	struct frames chain = { .f = { d->chain.v, d->chain.nr } };
	struct frame leaf = d->chain.v[0];

	hist__add(&d->hist, &context, &chain, &leaf, 1);
	d->nr_frames += d->chain.nr;
	d->chain.nr = 0;
}

/* Stacks of 2 to @nr + 1 frames with one frame that is only theirs: at the inner or outer end. */
static void add_comb(struct deep *d, u32 nr, bool inner_teeth)
{
	for (u32 i = 1; i <= nr; i++) {
		if (inner_teeth)
			push_frame(d, TOOTH + i);
		for (u32 k = 1; k <= i; k++)
			push_frame(d, inner_teeth ? i + 1 - k : k);
		if (!inner_teeth)
			push_frame(d, TOOTH + i);
		add_chain(d);
	}
}

/* The trees of all entries, whole: steps for each frame that was recorded, in hundredths. */
static u64 steps_per_frame(u32 nr, bool inner_teeth, bool caller_order)
{
	struct chain_tree tree;
	struct deep d;
	u64 steps;

	deep__init(&d, true, caller_order);
	add_comb(&d, nr, inner_teeth);
	hist__finish(&d.hist);
	chain_tree__init(&tree, &d.hist, caller_order, 0);
	for (size_t i = 0; i < d.hist.sorted.nr; i++)
		chain_tree__build(&tree, &d.hist.entries.v[d.hist.sorted.v[i]], 0, 0);
	steps = tree.nr_steps * 100 / d.nr_frames;
	chain_tree__free(&tree);
	deep__free(&d);
	return steps;
}

TEST(report_growth_steps, "report: call trees of combs cost as much as their stacks have frames")
{
	for (u32 which = 0; which < 4; which++) {
		bool inner_teeth = which & 1, caller_order = which & 2;
		u64 few = steps_per_frame(50, inner_teeth, caller_order);

		for (u32 nr = 100; nr <= 200; nr *= 2) {
			u64 more = steps_per_frame(nr, inner_teeth, caller_order);

			if (more > few + few / 4)
				TEST_FAIL("%s teeth, %s order: %.2f steps a frame for 50 stacks, "
					  "%.2f for %u", inner_teeth ? "inner" : "outer",
					  caller_order ? "caller" : "callee", few / 100.0,
					  more / 100.0, nr);
		}
	}
}

static u64 bytes_of(struct deep *d, enum chain_mode mode, bool caller_order, u32 max_frames)
{
	struct report_text_opts text = { .columns = d->hist.opts.order, .quiet = true };
	struct textbuf tb;
	u64 len;

	text.chains = CHAIN_OPTS_DEFAULT;
	text.chains.mode = mode;
	text.chains.caller_order = caller_order;
	text.chains.max_frames = max_frames;
	text.chains.min_percent = 0;
	hist__finish(&d->hist);
	textbuf__init(&tb, -1);
	textbuf__report(&tb, &d->hist, "ev", &text);
	len = tb.len;
	textbuf__free(&tb);
	deep__free(d);
	return len;
}

static void expect_linear(const char *what, u64 few, u64 more, enum chain_mode mode, bool caller)
{
	if (more > few * 2 + few / 4)
		TEST_FAIL("%s, -g %d, %s order: %" PRIu64 " bytes became %" PRIu64 " for twice "
			  "the frames", what, mode, caller ? "caller" : "callee", few, more);
}

TEST(report_growth_text, "report: graphs of deep stacks are as long as the stacks together")
{
	struct deep d;

	for (enum chain_mode mode = CHAIN_GRAPH; mode < CHAIN_NONE; mode++)
		for (u32 caller = 0; caller < 2; caller++) {
			u64 deep[3], comb[3];

			for (u32 i = 0; i < 3; i++) {
				deep__init(&d, true, caller);
				for (u32 k = 1; k <= 200u << i; k++)
					push_frame(&d, k);
				add_chain(&d);
				deep[i] = bytes_of(&d, mode, caller, GRAPH_FRAMES);
				deep__init(&d, true, caller);
				add_comb(&d, 50 << i, true);
				comb[i] = bytes_of(&d, mode, caller, GRAPH_FRAMES);
			}
			for (u32 i = 0; i < 2; i++) {
				expect_linear("one stack", deep[i], deep[i + 1], mode, caller);
				expect_linear("comb", comb[i], comb[i + 1], mode, caller);
			}
		}
}

TEST(report_growth_indent, "report: without children graphs are not indented without end")
{
	u64 bytes[3];
	struct deep d;

	for (u32 i = 0; i < 3; i++) {
		deep__init(&d, false, false);
		/* One running function with ever more callers, where each second level branches. */
		add_comb(&d, 50 << i, false);
		bytes[i] = bytes_of(&d, CHAIN_GRAPH, false, GRAPH_FRAMES);
	}
	expect_linear("comb", bytes[0], bytes[1], CHAIN_GRAPH, false);
	expect_linear("comb", bytes[1], bytes[2], CHAIN_GRAPH, false);
}
