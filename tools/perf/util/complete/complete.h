/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stage that makes one sample whole: keeps the kernel part of its chain, and puts behind it
 * the user part from where it is to be had.
 */
#ifndef PERF_COMPLETE_COMPLETE_H
#define PERF_COMPLETE_COMPLETE_H

#include "../callchain-deferred/stream.h"
#include "../sample/whole-sample.h"
#include "../binary/binaries.h"
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
	const char *unwind;
	const struct unwind_observer *observer;
	u32 max_stack;
};

struct complete;

/* -EINVAL when there is no such unwinder. An architecture that has none is no error. */
int complete__new(struct complete **out, const struct complete_opts *opts, struct error *err);
void complete__free(struct complete *c);

/*
 * Fills everything of @ws behind .rec, .s and .thread. What .user and .methods point to lives
 * until the next call. @answer: what is known of a deferred user part; NULL: .deferred is
 * asked. @walked: what a walk of the stack copy has found; NULL: it is made here.
 */
void complete__sample(struct complete *c, struct whole_sample *ws,
		      const struct deferred_answer *answer, const struct unwind_chain *walked);

/*
 * For walks made ahead: the space in which the sample's stack copy is to be walked, or NULL; and
 * whether asking for one of @t ends the life of those that were given before.
 */
struct unwind_space *complete__space(struct complete *c, const struct sample *s,
				     const struct thread *t);
bool complete__evicts(const struct complete *c, const struct thread *t);

/* The machine is about to forget @dso. */
void complete__forget(struct complete *c, const struct dso *dso);

/* Who makes walks ahead; its .unwinder and .max_stack are filled in. NULL: there are no walks. */
struct walk_queue *complete__new_walk_queue(const struct complete *c,
					    const struct walk_queue_opts *opts);

#endif
