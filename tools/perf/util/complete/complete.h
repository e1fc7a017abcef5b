/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stage that makes one sample whole: keeps the kernel part of its chain, and puts behind it
 * the user part from where it is to be had. Private to this room; commands use pipeline.h.
 */
#ifndef PERF_COMPLETE_COMPLETE_H
#define PERF_COMPLETE_COMPLETE_H

#include "../callchain-deferred-stream.h"
#include "pipeline.h"

struct complete_opts {
	struct machine *machine;
	struct symbols *symbols;
	const struct symbols_opts *symbols_opts;
	const struct recording *recording;
	struct deferred *deferred; /* sealed; NULL: deferred samples are left alone */
	bool keep_copies;
	bool (*behind)(void *ctx); /* as in pipeline_opts */
	void *behind_ctx;
	const char *unwind;
	const struct unwind_observer *observer;
	u32 max_stack;
};

struct complete;

/* -EINVAL when there is no such unwinder. An architecture that has none is no error. */
int complete__new(struct complete **out, const struct complete_opts *opts, struct error *err);
void complete__free(struct complete *c);

/*
 * Fills everything of @ws behind .rec, .s and .thread. What .chain and .methods point to lives
 * until the next call. @answer: what is known of a deferred user part; NULL: .deferred is asked.
 */
void complete__sample(struct complete *c, struct whole_sample *ws,
		      const struct deferred_answer *answer);

#endif
