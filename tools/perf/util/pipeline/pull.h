/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pipeline from which samples are pulled, in place of a sink that they are pushed to: for readers
 * in other languages, whose loops are their own.
 *
 * The pipeline runs on a stack of its own and stops there whenever a batch of samples is full. A
 * pulled sample stands by itself: what is needed to resolve it later is a copy, or lies in the
 * file, which stays mapped. What cannot go on (see base/fatal.h) ends the pipeline, not the
 * process. The kernel's mappings are not copied: an address of a module or of a BPF program that
 * took the place of another one meanwhile is resolved in the later one.
 *
 * For one thread: all calls must come from that which made it.
 */
#ifndef PERF_PIPELINE_PULL_H
#define PERF_PIPELINE_PULL_H

#include "pipeline.h"

struct pulled_sample {
	struct record rec;        /* in the file: sample__parse() has all of it */
	const char *comm;         /* as long as the pipeline lives */
	struct maps *maps;        /* of its time */
	const u64 *chain;         /* as of struct whole_sample; in the file or in .owned */
	u64 *user;                /* in .owned */
	const u8 *methods;        /* in .owned, or NULL */
	u64 nr_chain, nr_user;
	void *owned;
	u64 ip, period;
	u8 cpumode;
	u8 user_part, deferred, stop; /* enums as of struct whole_sample */
};

/* Frees what the sample owns; not after pull__free(). */
void pulled_sample__release(struct pulled_sample *s);

struct pull;

/*
 * Makes the pipeline; nothing is read yet.
 * @opts: without .sink and .progress, of a pipeline that is not live
 * @r: not a stream; borrowed until pull__free()
 * Returns: 0 or -errno.
 */
int pull__new(struct pull **out, struct reader *r, const struct pipeline_opts *opts,
	      struct error *err);

/* Frees the pipeline, wherever it was. @p may be NULL. */
void pull__free(struct pull *p);

/*
 * Runs the pipeline on, for some milliseconds or until a batch is full.
 * @batch: the samples, which the caller has to release
 * @nr: how many
 * Returns: 1, perhaps with no sample yet; 0 at the end, perhaps with the last samples; -errno with
 *         words when the pipeline failed.
 */
int pull__next(struct pull *p, struct pulled_sample **batch, size_t *nr, struct error *err);

/* Returns: the pipeline, for its symbols and its account. */
struct pipeline *pull__pipeline(const struct pull *p);

#endif
