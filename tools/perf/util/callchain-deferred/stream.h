/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The matcher for what can be read only once: a pipe, and the rings of a recording.
 *
 * Records go in in the order of time and come out in the same order, each deferred sample with
 * its answer. While a sample waits for its record, everything behind it waits, too, up to a
 * bound in bytes; nothing is given up because time passed. At the bound the sample in front
 * passes through unmerged (DEFERRED_PASSED), and its record, when it comes, is marked to be
 * kept, so that somebody else can bring the two together later. The rules and the reasons are
 * those of callchain-deferred.h; what differs is that a sample may have to pass.
 *
 * It knows records and nothing else. Bytes of records that wait are held through the caller.
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
	/* Non-zero ends the run and is returned by push() and finish(). */
	int (*emit)(void *ctx, const struct record *rec, const struct deferred_answer *answer);
	/*
	 * The bytes of @rec are needed longer than the call that brought it; or no longer. hold()
	 * may move them: it is given the record that waits.
	 */
	void (*hold)(void *ctx, struct record *rec);
	void (*release)(void *ctx, const struct record *rec);
	void *ctx;
};

struct deferred_stream;

/* @max_pending: bytes of records that may wait, with what it takes to keep them. */
struct deferred_stream *deferred_stream__new(const struct deferred_stream_ops *ops,
					     u64 max_pending);
void deferred_stream__free(struct deferred_stream *s); /* releases what waits, emits nothing */

/* Every record in the order of arrival, before it is put in order: where losses were. */
void deferred_stream__observe(struct deferred_stream *s, const struct record *rec);

/* Every record in the order of time. A sample that does not fit is let through. */
int deferred_stream__push(struct deferred_stream *s, const struct record *rec);

/*
 * Emits all that waits, as at the end of the data. More may follow: the end is then that of one of
 * several files.
 */
int deferred_stream__finish(struct deferred_stream *s);

u64 deferred_stream__pending(const struct deferred_stream *s); /* bytes that wait */

struct deferred_stats deferred_stream__stats(const struct deferred_stream *s);

#endif
