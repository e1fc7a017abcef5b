/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The matcher for recordings that can be read only once: a pipe, and the rings of a live recording.
 *
 * Records are pushed in the order of time and emitted in the same order, each deferred sample with
 * its answer. While a sample waits for its record, everything behind it waits, too, up to a number
 * of bytes; there is no timeout. At the limit the sample in front passes unmerged
 * (DEFERRED_PASSED), and its record, when it comes, is marked to be kept, so that the two can be
 * merged when the output is read. The rules and the reasons are those of callchain-deferred.h,
 * except that samples may pass.
 *
 * It knows records only. The caller holds the bytes of records that wait.
 */
#ifndef PERF_CALLCHAIN_DEFERRED_STREAM_H
#define PERF_CALLCHAIN_DEFERRED_STREAM_H

#include "../callchain-deferred.h"

struct deferred_answer {
	/*
	 * Of a sample: the result, DEFERRED_NOT when it is not deferred. Of a CALLCHAIN_DEFERRED
	 * record: DEFERRED_PASSED when a sample has passed that needs it. Else DEFERRED_NOT.
	 */
	enum deferred_result result;
	struct deferred_record user; /* on a match; valid during the call */
};

struct deferred_stream_ops {
	/* Returns 0; anything else ends the run and is returned by push() and finish(). */
	int (*emit)(void *ctx, const struct record *rec, const struct deferred_answer *answer);
	/*
	 * hold(): the bytes of @rec are needed longer than the call that pushed it; it may move
	 * them. release(): they are needed no longer.
	 */
	void (*hold)(void *ctx, struct record *rec);
	void (*release)(void *ctx, const struct record *rec);
	void *ctx;
};

struct deferred_stream;

/*
 * @ops: copied
 * @max_pending: bytes of records that may wait, with what it takes to keep them
 * Returns: what deferred_stream__free() frees.
 */
struct deferred_stream *deferred_stream__new(const struct deferred_stream_ops *ops,
					     u64 max_pending);

/* Releases, without emitting, the records that wait. @s may be NULL. */
void deferred_stream__free(struct deferred_stream *s);

/*
 * To be shown every record in the order of arrival, before it is put in order: to learn where
 * records were lost.
 */
void deferred_stream__observe(struct deferred_stream *s, const struct record *rec);

/*
 * Takes the next record in the order of time. A sample whose contents do not fit is passed on.
 * Returns: 0, or what emit() has returned.
 */
int deferred_stream__push(struct deferred_stream *s, const struct record *rec);

/* A thread whose samples wait for the record of one kernel entry. */
struct deferred_wait {
	u32 pid, tid;
	u64 cookie;
};

typedef void (*deferred_wait_fn)(void *ctx, const struct deferred_wait *wait);

/*
 * Visits the threads that are still in the kernel as far as records tell: those whose samples wait,
 * without a sign of life since then and without a loss that could have been one.
 * @each: called for each; its first argument is @ctx
 */
void deferred_stream__each_wait(const struct deferred_stream *s, deferred_wait_fn each, void *ctx);

/*
 * Answers the samples of a thread that still wait, with a user part that was found otherwise
 * (DEFERRED_ASLEEP), and emits what this lets go. A thread that does not wait any more, or of which
 * a record may have been lost since, is left alone.
 * @wait: as it was visited
 * @ips, @nr: the user part; borrowed until deferred_stream__finish()
 * Returns: 0, or what emit() has returned.
 */
int deferred_stream__answer(struct deferred_stream *s, const struct deferred_wait *wait,
			    const u64 *ips, u64 nr);

/*
 * Emits all records that wait, as at the end of the data. More may follow: then it was the end of
 * one of several files.
 * Returns: 0, or what emit() has returned.
 */
int deferred_stream__finish(struct deferred_stream *s);

/* Returns: the bytes that wait, see deferred_stream__new(). */
u64 deferred_stream__pending(const struct deferred_stream *s);

/* Returns: the counts so far. */
struct deferred_stats deferred_stream__stats(const struct deferred_stream *s);

#endif
