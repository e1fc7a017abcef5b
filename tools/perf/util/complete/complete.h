/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stage that makes one sample whole: keeps the kernel part of its chain, and adds the user
 * part, from a deferred record or from the stack copy.
 */
#ifndef PERF_COMPLETE_COMPLETE_H
#define PERF_COMPLETE_COMPLETE_H

#include "../callchain-deferred/stream.h"
#include "../sample/whole-sample.h"
#include "../binary/binaries.h"
#include "kernel-walk.h"
#include "live-code.h"
#include "live-stack.h"
#include "walk-queue.h"

struct complete_opts {
	struct machine *machine;
	struct binaries *binaries;
	const struct binary_opts *binary_opts;
	const struct recording *recording;
	struct deferred *deferred; /* sealed; NULL: deferred samples are left alone */
	bool keep_copies;
	bool (*backlogged)(void *ctx); /* as in pipeline_opts */
	void *backlogged_ctx;
	/*
	 * Asked when a walk ended in code without a file, in a process with .pid: whether that will
	 * be known later. Then the sample keeps its copy. NULL: no.
	 */
	bool (*awaits_code)(void *ctx, u32 pid);
	void *awaits_code_ctx;
	struct kernel_walk kernel_walk;
	struct live_stack live_stack;
	struct live_code live_code;
	const char *unwind;
	const struct unwind_observer *observer;
	bool want_sps;                 /* fills .sps of samples */
	bool prefer_copy;              /* where the kernel defers, too: it has .sps */
	u32 max_stack;
};

struct complete;

/*
 * @out: for complete__free()
 * @opts: copied; what it points to is borrowed
 * Returns: 0; -EINVAL with words when there is no such backend. An architecture without an unwinder
 *         is no error.
 */
int complete__new(struct complete **out, const struct complete_opts *opts, struct error *err);

/* Saves row tables, and frees the stage. @c may be NULL. */
void complete__free(struct complete *c);

/*
 * Fills everything of @ws behind .rec, .s and .thread. What .user and .methods point to is valid
 * until the next call.
 * @answer: the deferred user part; NULL: opts.deferred is asked
 * @walked: what a walk of the stack copy has found; NULL: it is made here
 */
void complete__sample(struct complete *c, struct whole_sample *ws,
		      const struct deferred_answer *answer, const struct unwind_chain *walked);

/*
 * Walks a stack of @t that is in no sample.
 * @pc: where its code was; no other register is known but SP
 * @stack: .start is SP
 * @chain: filled; UNWIND_NO_ARCH when there is no unwinder, UNWIND_COSTLY when the mappings take
 *         too long to read
 */
void complete__walk(struct complete *c, const struct thread *t, u64 pc,
		    const struct unwind_stack *stack, struct unwind_chain *chain);

/*
 * For walks made ahead.
 * Returns: the address space in which the sample's stack copy is to be walked; NULL: there is
 *         nothing to walk, or its mappings take too long to read.
 */
struct unwind_space *complete__space(struct complete *c, const struct sample *s,
				     const struct thread *t);

/* Returns: whether complete__space() for this thread would free one that was returned before. */
bool complete__evicts(const struct complete *c, const struct thread *t);

/* Returns: the number of mappings that were read so far, for walks. */
u64 complete__nr_looked_at(const struct complete *c);

/* The machine is about to forget @dso: frees what belongs to it. */
void complete__forget(struct complete *c, const struct dso *dso);

/*
 * Makes a queue for walks ahead.
 * @opts: .unwinder and .max_stack are filled in here
 * Returns: for walk_queue__free(); NULL: there are no walks.
 */
struct walk_queue *complete__new_walk_queue(const struct complete *c,
					    const struct walk_queue_opts *opts);

#endif
