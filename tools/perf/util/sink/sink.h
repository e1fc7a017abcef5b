/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a pipeline ends. Whole samples and all other records come in the order of time, each
 * after the state has taken it.
 */
#ifndef PERF_SINK_SINK_H
#define PERF_SINK_SINK_H

#include "../sample/whole-sample.h"
#include "../symbol/symbols.h"

struct sink {
	/*
	 * Before anything else: the state and the files of what will come; they live as long as
	 * the pipeline. May be NULL.
	 */
	void (*begin)(void *ctx, struct machine *machine, struct symbols *symbols);
	/* What they return other than 0 ends the run, and is its result. May be NULL. */
	int (*sample)(void *ctx, const struct whole_sample *ws);
	int (*record)(void *ctx, const struct record *rec);
	/* Live: a dso that nobody maps any more is about to be forgotten. May be NULL. */
	void (*forget)(void *ctx, const struct dso *dso);
	void *ctx;
};

#endif
