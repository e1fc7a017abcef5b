/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A condition of `perf diff --fail-if`: which change is too much.
 *
 *	self(parse_number) > +3%     its own part has grown by more than 3 % of what it was
 *	total(handle_*) > 0.5pp      of any of these, with callees, by half a percent point of a run
 *	any > 5%                     the same as self(*)
 *	run > 2%                     the sum of a run has grown
 *	self(parse_number) < -3%     it has fallen
 *
 * It holds if the change that was measured is beyond the limit and also beyond chance.
 */
#ifndef PERF_DIFF_LIMIT_H
#define PERF_DIFF_LIMIT_H

#include "../base/error.h"
#include "change.h"

struct diff_limit {
	enum { DIFF_LIMIT_SELF, DIFF_LIMIT_TOTAL, DIFF_LIMIT_RUN } what;
	char *function;   /* a name, or a pattern with *, ? and [; NULL: of the run */
	bool falls;       /* < in place of > */
	bool points;      /* percent points of a run */
	double limit;     /* a part: 3 % is 0.03 */
	const char *text; /* as it was given; borrowed */
};

/*
 * Parses a condition.
 * @l: for diff_limit__free(), also on failure
 * @text: borrowed
 * Returns: 0; -EINVAL with words.
 */
int diff_limit__parse(struct diff_limit *l, const char *text, struct error *err);

/* Frees the name. */
void diff_limit__free(struct diff_limit *l);

/* Returns: whether @name is one of the functions. */
bool diff_limit__is_of(const struct diff_limit *l, const char *name);

/* Returns: whether the condition is of many functions: chance counts among all of them then. */
bool diff_limit__is_pattern(const struct diff_limit *l);

/* Returns: whether a change is beyond the limit. What is chance is not looked at. */
bool diff_limit__exceeds(const struct diff_limit *l, const struct stat_change *c);

#endif
