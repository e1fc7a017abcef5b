/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The unwinding of one sample as text, with every decision: for each frame the registers, the
 * binary, the row that was found and its rule; then the method of each step, and why the walk
 * ended.
 */
#ifndef PERF_UNWIND_SHOW_UNWIND_REPLAY_H
#define PERF_UNWIND_SHOW_UNWIND_REPLAY_H

#include "../stack/frames.h"
#include "../text/textbuf.h"

struct unwind_replay {
	struct textbuf *tb;
	u64 wanted;                /* the sample's number, from 1, in the order of time */

	/* Internal. */
	struct resolver *resolver;
	struct unwind_observer observer;
	u64 nr;                    /* samples so far */
	VEC(struct unwind_decision) decisions;
	struct arena *strings;
};

/* To be called when .tb and .wanted are set. */
void unwind_replay__init(struct unwind_replay *r);

/* To be called before the pipeline is freed. */
void unwind_replay__free(struct unwind_replay *r);

/*
 * The functions of a sink, see sink.h, for a pipeline with r->observer. @replay is the context.
 * Return 0; 1 when the sample was printed.
 */
void unwind_replay__begin(void *replay, struct machine *machine, struct symbols *symbols);
int unwind_replay__sample(void *replay, const struct whole_sample *ws);

#endif
