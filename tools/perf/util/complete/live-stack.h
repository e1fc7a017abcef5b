/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Live: the rest of a stack that is in no copy, read where it still stands. A signal handler on a
 * stack of its own, or code that has gone to another one, leaves the stack of its callers as it is
 * until it returns. The copy has only the present one.
 */
#ifndef PERF_COMPLETE_LIVE_STACK_H
#define PERF_COMPLETE_LIVE_STACK_H

#include "../data/record.h"
#include "../unwinder/unwinder.h"

struct live_stack {
	/*
	 * Asked for the sample's thread and the word at @addr, a return address in the frame whose
	 * caller is wanted. Returns: whether the stack behind it can be read. NULL: it cannot.
	 */
	bool (*may_read)(void *ctx, const struct sample *s, u64 addr);
	/* Reads @size bytes at @addr of that stack. Returns: false when they cannot be read. */
	bool (*read)(void *ctx, u64 addr, void *to, size_t size);
	/* Returns: whether all that was read is as it was when the sample was taken. */
	bool (*stood)(void *ctx);
	void *ctx;
};

/*
 * Walks a sample's stack on from where its copy ends.
 * @chain: of the copy
 * Returns: whether @chain is what was found by that; else it is as it was.
 */
bool live_stack__walk(const struct live_stack *l, const struct sample *s, struct unwinder *u,
		      struct unwind_space *space, struct unwind_chain *chain);

#endif
