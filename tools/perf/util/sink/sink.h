/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The end of a pipeline. It gets whole samples and all other records in the order of time, each
 * after the state was updated by it.
 *
 * A pipeline may have several ends: each sink names the next one, and all get each sample before
 * any of them gets the next. A sink knows nothing of the others.
 */
#ifndef PERF_SINK_SINK_H
#define PERF_SINK_SINK_H

#include "../sample/whole-sample.h"
#include "../symbol/symbols.h"

struct sink {
	/*
	 * Called first, with the state and the symbols of the pipeline, which live as long as it.
	 * May be NULL.
	 */
	void (*begin)(void *ctx, struct machine *machine, struct symbols *symbols);
	/*
	 * Return 0; anything else ends the run, and is its result. The sinks behind this one then
	 * do not get the sample or record. May be NULL.
	 */
	int (*sample)(void *ctx, const struct whole_sample *ws);
	int (*record)(void *ctx, const struct record *rec);
	/*
	 * Called after all samples and records, unless the run ended early, by an error or by what
	 * a sink returned. State and files still exist. Returns 0; anything else is the result of
	 * the run, and .end of the sinks behind this one is not called. May be NULL.
	 */
	int (*end)(void *ctx);
	/*
	 * A sample with this callchain will come soon, mostly behind the next one: what it needs
	 * can be prefetched. Not all are told, and nothing may depend on it. May be NULL.
	 */
	void (*soon)(void *ctx, const struct thread *t, const u64 *chain, u64 nr);
	/* Live: a dso that is mapped nowhere any more is about to be forgotten. May be NULL. */
	void (*forget)(void *ctx, const struct dso *dso);
	void *ctx;
	/* Of this sink only: */
	bool drop_merged; /* it gets no CALLCHAIN_DEFERRED records whose samples are all merged */
	bool early_maps;  /* it gets a mapping before its time, too, if a sample needs it */
	bool split_reads; /* of a sample with the counts of a group it gets one for each event */
	const struct sink *next; /* lives as long as the pipeline; NULL: this is the last one */
};

#define sink__for_each(first, s) for (const struct sink *s = (first); s; s = s->next)

#endif
