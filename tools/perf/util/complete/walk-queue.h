/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks stack copies ahead of their turn, in several threads.
 *
 * Records are added in order and delivered in the same order, each sample with the result of its
 * walk. They wait in blocks; a full block is walked by one of the threads, or by the owner's thread
 * while the oldest block is not ready. The result does not depend on the thread. Threads are
 * started at the first full block.
 *
 * Records are added and delivered, and binaries opened, in the owner's thread. While records wait,
 * nothing may change that walks and delivery read: records, threads, address spaces.
 * walk_queue__flush() delivers all of them.
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
	u32 jobs;                    /* threads that walk, the owner's included; 0: 1 */
	/* @chain: what the walk found, until the next call; NULL: there was nothing to walk. */
	int (*deliver)(void *ctx, const struct walk_queue_item *it,
		       const struct unwind_chain *chain);
	/* A record that will be delivered soon, for what can be prefetched. NULL: not wanted. */
	void (*soon)(void *ctx, const struct walk_queue_item *it);
	void *ctx;
};

struct walk_queue;

/*
 * @opts: copied; the unwinder is borrowed
 * Returns: what walk_queue__free() frees. Threads are started later.
 */
struct walk_queue *walk_queue__new(const struct walk_queue_opts *opts);

/* Ends the threads. What was not delivered is dropped. @w may be NULL. */
void walk_queue__free(struct walk_queue *w);

/*
 * Returns: room for one more, of undefined contents, valid until the next call; walk_queue__add()
 *         adds it.
 */
struct walk_queue_item *walk_queue__room(struct walk_queue *w);

/*
 * Adds what walk_queue__room() has returned, and delivers what is ready. Returns 0, or what
 * deliver() has returned.
 */
int walk_queue__add(struct walk_queue *w);

/* Delivers everything. Returns 0, or what deliver() has returned. */
int walk_queue__flush(struct walk_queue *w);

/* Returns: the user registers of a sample, for the unwinder. */
struct unwind_regs sample__unwind_regs(const struct sample *s);

/* Returns: its stack copy, in the same way, whose bytes are the sample's. @regs: those registers */
struct unwind_stack sample__unwind_stack(const struct sample *s, const struct unwinder *u,
					 const struct unwind_regs *regs);

/*
 * Walks one stack copy.
 * @owner: the caller's thread owns the unwinder; other threads can only walk what needs no new rows
 * @chain: filled
 * Returns: false when the owner has to walk it, see unwind__try().
 */
bool sample__walk(const struct sample *s, struct unwinder *u, struct unwind_space *space,
		  bool owner, struct unwind_chain *chain);

#endif
