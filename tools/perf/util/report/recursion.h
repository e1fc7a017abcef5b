/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks without their recursion. Where a function calls itself, directly or through others, stacks
 * differ by how often it has done so, and each depth would be a path of its own. Here what lies
 * between two calls of one function is left out, with all but the first of them, so that the
 * different depths are one:
 *
 *	main > parse > term > parse > term > parse > read
 *	main > parse x 3 > read
 */
#ifndef PERF_REPORT_RECURSION_H
#define PERF_REPORT_RECURSION_H

#include "../base/hash.h"
#include "../base/vec.h"
#include "../profile/hist.h"

struct folded_step {
	u32 frame; /* a stack_frame that call trees show */
	u32 times; /* how often it is on the stack */
};

/* A stack, outermost first. All zero at first; for recursion__free(). */
struct folded {
	VEC(struct folded_step) v;
	u32 *place; /* internal, by frame: where it is in .v + 1 */
	u32 *times; /* internal, likewise: how often it was met */
};

/*
 * Folds a stack.
 * @frames, @nr: of @h, innermost first
 * @fold: false: only takes them over, each once
 */
void recursion__fold(struct folded *f, const struct hist *h, const u32 *frames, u32 nr, bool fold);

/* Frees what was allocated. */
void recursion__free(struct folded *f);

#endif
