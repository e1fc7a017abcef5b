// SPDX-License-Identifier: GPL-2.0-only
#include "live-stack.h"

#include "walk-queue.h"

/* Only those words are as they were that belong to the frame of the watched one, or its callers. */
#define BELOW_MAX (64ull << 10)
#define ABOVE_MAX (8ull << 20)

struct reading {
	const struct live_stack *live;
	u64 from;
};

static bool read_word(void *ctx, u64 addr, void *to, size_t size)
{
	const struct reading *r = ctx;

	return addr - r->from < BELOW_MAX + ABOVE_MAX &&
	       r->live->read(r->live->ctx, addr, to, size);
}

bool live_stack__walk(const struct live_stack *l, const struct sample *s, struct unwinder *u,
		      struct unwind_space *space, struct unwind_chain *chain)
{
	struct unwind_regs regs = sample__unwind_regs(s);
	struct reading r = { .live = l, .from = chain->missing - BELOW_MAX };
	struct unwind_stack stack = sample__unwind_stack(s, u, &regs);
	bool on = chain->stop == UNWIND_OTHER_STACK || chain->stop == UNWIND_STACK_ENDS;

	if (!l->may_read || !on || !chain->missing || !l->may_read(l->ctx, s, chain->missing))
		return false;
	stack.read = read_word;
	stack.ctx = &r;
	unwind__walk(space, &regs, &stack, chain);
	if (l->stood(l->ctx))
		return true;
	(void)sample__walk(s, u, space, true, chain);
	return false;
}
