/* SPDX-License-Identifier: GPL-2.0-only */
/* In words: whether the user stack of a sample is whole, and why not. */
#ifndef PERF_SAMPLE_USER_STACK_H
#define PERF_SAMPLE_USER_STACK_H

#include "whole-sample.h"

/*
 * Returns: why a user part is not whole: "copy too short", "exec", ...; NULL: it is whole, there is
 *         none, or nobody knows.
 */
const char *user_part__reason(enum user_part part, enum deferred_result deferred,
			      enum unwind_stop stop);

/* Returns: whether user parts of this kind are known to be whole or not. */
static inline bool user_part__is_known(enum user_part part)
{
	return part == USER_PART_DEFERRED || part == USER_PART_UNWOUND || part == USER_PART_MISSING;
}

/*
 * Returns: "whole"; why it is not; "no user stack" (of a kernel thread), "as recorded" (by frame
 *         pointers: not known), "left as recorded", or "not recorded". Never NULL.
 */
const char *user_stack__word(const struct whole_sample *ws);

/*
 * Whether a callchain by frame pointers shows that there were none: it comes to what is no code, or
 * ends after one or two frames, and not in the dynamic loader, whose first functions have no more
 * callers. (Others have: main() has one, and this one has.)
 * Returns: that; false of other stacks, and where nothing is known of the innermost code.
 */
bool user_stack__ends_early(struct machine *m, const struct whole_sample *ws);

/*
 * Returns: whether nothing is missing: it is known to be whole, or there is none. Each sample is
 *         complete or not; what is not known to be is not.
 */
bool user_stack__is_complete(const struct whole_sample *ws);

#endif
