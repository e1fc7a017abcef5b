/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a pipeline ends. Whole samples and all other records come in the order of time, each
 * after the state has taken it.
 *
 * A pipeline may have several ends: each sink names the next one, and all get each sample before
 * any gets what follows. A sink knows nothing of the others; what it leaves as it is in the struct
 * does not concern them.
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
	/*
	 * What they return other than 0 ends the run, and is its result; the sinks behind this one
	 * do not get the sample or record any more. May be NULL.
	 */
	int (*sample)(void *ctx, const struct whole_sample *ws);
	int (*record)(void *ctx, const struct record *rec);
	/*
	 * After all samples and records; not when the run ended early, because of an error or of
	 * what a sink returned. State and files are still there. What it returns other than 0 is
	 * the result of the run, and the sinks behind this one do not end. May be NULL.
	 */
	int (*end)(void *ctx);
	/* Live: a dso that nobody maps any more is about to be forgotten. May be NULL. */
	void (*forget)(void *ctx, const struct dso *dso);
	void *ctx;
	/* What this sink wants, and the others need not. */
	bool drop_merged; /* no CALLCHAIN_DEFERRED record that nobody needs any more */
	bool early_maps;  /* a mapping before its time, too, if a sample needs it */
	bool split_reads; /* a sample that says what a group counted as one of each event */
	const struct sink *next; /* lives as long as the pipeline; NULL: this is the last one */
};

#define sink__for_each(first, s) for (const struct sink *s = (first); s; s = s->next)

#endif
