/* SPDX-License-Identifier: GPL-2.0-only */
/* perf report: options that choose by the names of callers: --parent, --ignore-callees. */
#ifndef PERF_REPORT_CHAIN_H
#define PERF_REPORT_CHAIN_H

#include <regex.h>

#include "../base/hash.h"
#include "../stack/frames.h"

#define PARENT_DEFAULT "^sys_|^do_page_fault" /* as in perf, of the sort key alone */

struct name_pattern {
	regex_t regex;
	bool is_there;
	struct map64 known; /* symbol -> whether it matches: 1 no, 2 yes */
};

struct report_chain_opts {
	const char *parent, *ignore_callees; /* extended regular expressions; NULL: not given */
	bool exclude_other;                  /* only samples that have such a parent */
};

struct report_chain {
	struct name_pattern parents, ignored;
	VEC(struct frame) named; /* of the last chain */
};

/*
 * Compiles the expressions.
 * @wants_parent: the sort key is there
 * Returns: 0; -EINVAL with words.
 */
int report_chain__begin(struct report_chain *c, const struct report_chain_opts *opts,
			bool wants_parent, struct error *err);

/* Frees what that has made. */
void report_chain__end(struct report_chain *c);

/* Returns: the innermost function of @chain that is a parent; NULL: none. */
const char *report_chain__parent(struct report_chain *c, const struct frames *chain);

/* Takes the frames without a symbol out of @chain, which then is valid until the next call. */
void report_chain__named(struct report_chain *c, struct frames *chain);

/*
 * Takes away what the outermost function of --ignore-callees has called.
 * @chain: changed
 * @leaf: changed to that function, if there is one
 */
void report_chain__ignore(struct report_chain *c, struct frames *chain, struct frame *leaf);

#endif
