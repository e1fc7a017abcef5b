/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that are still in the kernel when a live recording ends: their deferred records never
 * come. Their stacks are read where they sleep, and walked; when no record has come after all, that
 * is the user part of their samples.
 */
#ifndef PERF_COMPLETE_WAITING_STACKS_H
#define PERF_COMPLETE_WAITING_STACKS_H

#include "complete.h"

/* How a sleeping thread's stack is read. */
struct stack_reader {
	/*
	 * Fills @pc, and @stack from SP on, whose bytes are the reader's until the next call.
	 * Returns: 0, or -errno.
	 */
	int (*read)(void *ctx, u32 tid, u64 *pc, struct unwind_stack *stack);
	/* Returns: whether the thread of the last read() has not run since then. */
	bool (*is_still)(void *ctx);
	void *ctx;
};

struct waiting_stacks;

/* Returns: what waiting_stacks__free() frees. */
struct waiting_stacks *waiting_stacks__new(void);

/* To be called when the stream has been finished. NULL is fine. */
void waiting_stacks__free(struct waiting_stacks *w);

/*
 * Reads and walks the stacks of all threads whose samples wait. Only whole chains are kept.
 * @s: has got all samples that were taken so far
 * @machine: the state at present
 */
void waiting_stacks__read(struct waiting_stacks *w, const struct deferred_stream *s,
			  struct machine *machine, struct complete *c,
			  const struct stack_reader *reader);

/*
 * Answers what still waits, when all records of the recording have come. Returns: 0, or what the
 * stream has returned.
 */
int waiting_stacks__answer(struct waiting_stacks *w, struct deferred_stream *s);

#endif
