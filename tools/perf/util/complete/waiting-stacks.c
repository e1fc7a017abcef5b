// SPDX-License-Identifier: GPL-2.0-only
#include "waiting-stacks.h"

#include <stdlib.h>

#include "../base/log.h"

#define MAX_FRAMES 1024

struct waiting_stack {
	struct deferred_wait wait;
	u64 *ips;
	u32 nr;
};

struct waiting_stacks {
	VEC(struct waiting_stack) v;
	/* While they are read. */
	struct machine *machine;
	struct complete *complete;
	const struct stack_reader *reader;
	u32 asked, ran, cut;
	u64 ips[MAX_FRAMES];
	u8 methods[MAX_FRAMES];
};

struct waiting_stacks *waiting_stacks__new(void)
{
	return xzalloc(sizeof(struct waiting_stacks));
}

void waiting_stacks__free(struct waiting_stacks *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->v.nr; i++)
		free(w->v.v[i].ips);
	vec__free(&w->v);
	free(w);
}

static void read_one(void *ctx, const struct deferred_wait *wait)
{
	struct waiting_stacks *w = ctx;
	const struct thread *t = machine__find_thread(w->machine, wait->tid);
	struct unwind_chain chain = {
		.ips = w->ips, .methods = w->methods, .max = MAX_FRAMES,
	};
	struct unwind_stack stack = {};
	u64 pc;

	w->asked++;
	if (!t || t->pid != wait->pid || w->reader->read(w->reader->ctx, wait->tid, &pc, &stack)) {
		w->ran++;
		return;
	}
	complete__walk(w->complete, t, pc, &stack, &chain);
	if (!w->reader->is_still(w->reader->ctx)) {
		w->ran++;
	} else if (chain.stop != UNWIND_OUTERMOST) {
		w->cut++;
		pr_debug("the stack of thread %u, which sleeps, is not whole: %s\n", wait->tid,
			 unwind_stop__name(chain.stop));
	} else {
		*vec__push(&w->v) = (struct waiting_stack){
			*wait, xmemdup(chain.ips, chain.nr * sizeof(*chain.ips)), chain.nr,
		};
	}
}

void waiting_stacks__read(struct waiting_stacks *w, const struct deferred_stream *s,
			  struct machine *machine, struct complete *c,
			  const struct stack_reader *reader)
{
	w->machine = machine;
	w->complete = c;
	w->reader = reader;
	deferred_stream__each_wait(s, read_one, w);
	pr_debug("%u threads sleep in the kernel: %zu stacks are whole, %u cut; %u ran\n",
		 w->asked, w->v.nr, w->cut, w->ran);
}

int waiting_stacks__answer(struct waiting_stacks *w, struct deferred_stream *s)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < w->v.nr; i++) {
		const struct waiting_stack *stack = &w->v.v[i];

		ret = deferred_stream__answer(s, &stack->wait, stack->ips, stack->nr);
	}
	return ret;
}
