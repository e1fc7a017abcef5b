/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * -g: how call trees are shown, and their text below an entry of `perf report --stdio`.
 *
 * The argument is perf's: any of "graph|fractal|flat|folded|none", "caller|callee",
 * "function|address|srcline", "percent|period|count", a least share in percent, a greatest number
 * of lines per level, divided by commas; and "branch", for which callers ask: branch stacks make
 * no callers here.
 */
#ifndef PERF_TEXT_CHAIN_TEXT_H
#define PERF_TEXT_CHAIN_TEXT_H

#include "../profile/chain-tree.h"
#include "textbuf.h"

enum chain_mode { CHAIN_GRAPH, CHAIN_FRACTAL, CHAIN_FLAT, CHAIN_FOLDED, CHAIN_NONE };
enum chain_value { CHAIN_PERCENT, CHAIN_PERIOD, CHAIN_COUNT };

struct chain_opts {
	enum chain_mode mode;
	enum chain_value value;
	bool caller_order, order_set;
	bool by_address;           /* frames are addresses, and say their lines */
	bool by_line;              /* the same, by the lines themselves */
	bool branches;             /* branch stacks were asked for */
	bool fold;                 /* depths of a recursion are one path; not in text */
	double min_percent;        /* less is not shown */
	unsigned int print_limit;  /* lines per level; 0: all */
	unsigned int max_frames;   /* of a chain, those next to the entry; 0: all */
};

#define CHAIN_OPTS_DEFAULT                                                                    \
	((struct chain_opts){ .caller_order = true, .min_percent = 0.5, .fold = true })

/* Parses the argument of -g, @arg. Returns 0, or -EINVAL with words. */
int chain_opts__parse(struct chain_opts *o, const char *arg, struct error *err);

/*
 * Prints the call tree of an entry.
 * @t: the tree is built here
 * @total_period: 100 %
 * @skip: a function (stack_frame) that is not named if it is the first one; 0: none
 * @separator: of folded chains; or NULL
 */
void textbuf__chains(struct textbuf *tb, struct chain_tree *t, const struct hist_entry *e,
		     const struct chain_opts *o, u64 total_period, u32 skip,
		     const char *separator);

/*
 * Appends the name of a frame of a call tree.
 * @frame: a stack_frame of @h
 * @by_address: with its source line, or offset
 */
void textbuf__chain_frame(struct textbuf *tb, const struct hist *h, u32 frame, bool by_address);

#endif
