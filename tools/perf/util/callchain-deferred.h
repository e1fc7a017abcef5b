/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The matcher of deferred user callchains (Linux 6.19 and later).
 *
 * A deferred sample ends in PERF_CONTEXT_USER_DEFERRED and a cookie; one CALLCHAIN_DEFERRED
 * record per kernel entry brings the user part, before or after the sample in time and perhaps
 * in another CPU's buffer. The matcher gets every record that matters in a first pass, is sealed,
 * and then finds for each sample the user part, or the reason why there is none.
 * The rules: Documentation/design/callchain-deferred.md.
 *
 * It knows records only: no files, options, threads or maps. The records that it gets must live as
 * long as it does.
 */
#ifndef PERF_CALLCHAIN_DEFERRED_H
#define PERF_CALLCHAIN_DEFERRED_H

#include "data/record.h"

enum deferred_result {
	DEFERRED_NOT,          /* the sample is not deferred; never returned by a match */
	DEFERRED_MATCHED,      /* the record came after the sample */
	DEFERRED_LATE,         /* matched; the record came before the sample */
	DEFERRED_ASLEEP,       /* there is none: read from the stack of the thread, which slept */
	DEFERRED_EXEC,         /* exec in between: the record has the stack of the new program */
	DEFERRED_EXITED,       /* the thread exited, its record was not delivered */
	DEFERRED_LOST,         /* buffers lost records before the next record of the thread */
	DEFERRED_IN_KERNEL,    /* still in the kernel when the recording ended */
	DEFERRED_NO_COOKIE,    /* the marker without a cookie (max_contexts_per_stack too small) */
	DEFERRED_NO_RECORD,    /* none of the above explains it */
	DEFERRED_PASSED,       /* of a stream: the record did not come while the sample waited */
	DEFERRED_NR
};

/* Returns: "matched", "in kernel at end", ...: @r in words. */
const char *deferred_result__name(enum deferred_result r);

/* Returns: whether @r means that there is a user part. */
static inline bool deferred_result__is_match(enum deferred_result r)
{
	return r == DEFERRED_MATCHED || r == DEFERRED_LATE || r == DEFERRED_ASLEEP;
}

struct deferred;

/* Returns: what deferred__free() frees. */
struct deferred *deferred__new(void);

/* @d may be NULL. */
void deferred__free(struct deferred *d);

/*
 * First pass: takes every record, identified, in the order of the file. Those that do not matter
 * are ignored.
 * Returns: 0; -EINVAL when the contents of the record do not fit.
 */
int deferred__note(struct deferred *d, const struct record *rec);

/* Ends the first pass. */
void deferred__seal(struct deferred *d);

/* Where a sample's recorded chain is split. */
struct deferred_split {
	u64 nr_kept;  /* entries in front of the marker: the kernel part, whole */
	bool marked;  /* the marker is there */
	bool cookie_known;
	u64 cookie;
};

/*
 * Finds the marker in a callchain.
 * @chain, @nr: as recorded
 * Returns: where it is split.
 */
struct deferred_split deferred__split(const u64 *chain, u64 nr);

/*
 * Second pass: finds the user part of a sample. Sample and record are matched by time, or by the
 * order in the file when one of them has no time. If the samples of a thread are asked for in that
 * order, the cost does not depend on the number of records: a step in the thread's list, and a few
 * binary searches without a match.
 * @split: of the sample's chain; must be marked
 * @out: filled on a match; .ips points into the record, which is not touched
 * Returns: a match, or the reason why there is none.
 */
enum deferred_result deferred__match(struct deferred *d, const struct record *sample,
				     const struct deferred_split *split,
				     struct deferred_record *out);

struct deferred_stats {
	u64 records;           /* CALLCHAIN_DEFERRED seen */
	u64 duplicates;        /* of them: equal to an earlier one of the same thread and cookie */
	u64 unused;            /* of the rest: matched no sample (other sessions, lost samples) */
	u64 answers[DEFERRED_NR];
};

/* Returns: the counts so far. */
struct deferred_stats deferred__stats(const struct deferred *d);

#endif
