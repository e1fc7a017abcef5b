/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stack copies are walked ahead of their turn, by several threads.
 *
 * Records are added in their order and are delivered in it, each sample with its walk made. They
 * wait in blocks; a full block is walked by whoever comes to it first, one of the threads or the
 * owner, who has nothing better to do when the oldest block is not ready. What was found does not
 * depend on who it was. Threads are started at the first full block.
 *
 * The owner adds, is called to deliver, and opens binaries. While something waits here, nothing
 * that a walk or a delivery looks at may change: records, threads, address spaces.
 * walk_queue__flush() delivers all of it.
 */
#ifndef PERF_COMPLETE_WALK_QUEUE_H
#define PERF_COMPLETE_WALK_QUEUE_H

#include "../data/record.h"
#include "../state/machine.h"
#include "../unwinder/unwinder.h"

struct walk_queue_item {
	struct record rec;
	struct sample s;             /* of a sample, decoded, and its thread */
	const struct thread *thread;
	struct unwind_space *space;  /* NULL: there is nothing to walk */
};

struct walk_queue_opts {
	struct unwinder *unwinder;
	u32 max_stack;
	u32 jobs;                    /* threads that walk, the owner is one of them; 0: 1 */
	/* @chain: what the walk found, until the next call; NULL: there was nothing to walk. */
	int (*deliver)(void *ctx, const struct walk_queue_item *it,
		       const struct unwind_chain *chain);
	void *ctx;
};

struct walk_queue;

struct walk_queue *walk_queue__new(const struct walk_queue_opts *opts);
void walk_queue__free(struct walk_queue *w); /* what was not delivered is dropped */

/*
 * Room for one more, of undefined contents, until the next call; with walk_queue__add() it is
 * taken.
 */
struct walk_queue_item *walk_queue__room(struct walk_queue *w);

/* What deliver() returns other than 0 is returned, and ends it. */
int walk_queue__add(struct walk_queue *w);
int walk_queue__flush(struct walk_queue *w);

/* One walk. False as of unwind__try(), which is only for who is not the @owner. */
bool sample__walk(const struct sample *s, struct unwinder *u, struct unwind_space *space,
		  bool owner, struct unwind_chain *chain);

#endif
