/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The matcher of deferred user callchains (Linux 6.19 and later).
 *
 * A deferred sample ends in PERF_CONTEXT_USER_DEFERRED and a cookie; one CALLCHAIN_DEFERRED
 * record per kernel entry brings the user part, before or after the sample in time and perhaps
 * in another CPU's buffer. The matcher gets every record that matters in a first pass, is
 * sealed, and then answers for each sample: here is the user part, or this is why there is none.
 * The rules: Documentation/design/callchain-deferred.md.
 *
 * It knows records and nothing else: no files, no options, no threads or maps. The records that
 * it is shown must live as long as it does.
 */
#ifndef PERF_CALLCHAIN_DEFERRED_H
#define PERF_CALLCHAIN_DEFERRED_H

#include "data/record.h"

enum deferred_result {
	DEFERRED_NOT,          /* never an answer: for samples that are not deferred at all */
	DEFERRED_MATCHED,      /* the record came after the sample */
	DEFERRED_LATE,         /* matched; the record came before the sample */
	DEFERRED_EXEC,         /* exec in between: the record shows the new program */
	DEFERRED_EXITED,       /* the thread exited, its record was not delivered */
	DEFERRED_LOST,         /* the buffers lost records before the thread's next sign of life */
	DEFERRED_IN_KERNEL,    /* still in the kernel when the recording ended */
	DEFERRED_NO_COOKIE,    /* the marker without a cookie (max_contexts_per_stack too small) */
	DEFERRED_NO_RECORD,    /* none of the above explains it */
	DEFERRED_PASSED,       /* of a stream: the record did not come as long as it could wait */
	DEFERRED_NR
};

const char *deferred_result__name(enum deferred_result r); /* "matched", "in kernel at end", ... */

static inline bool deferred_result__is_match(enum deferred_result r)
{
	return r == DEFERRED_MATCHED || r == DEFERRED_LATE;
}

struct deferred;

struct deferred *deferred__new(void);
void deferred__free(struct deferred *d);

/*
 * First pass, in file order: every record, identified; those that do not matter are ignored.
 * 0, or -EINVAL for a record whose contents do not fit.
 */
int deferred__note(struct deferred *d, const struct record *rec);

/* End of the first pass. */
void deferred__seal(struct deferred *d);

/* Where a sample's recorded chain is split. */
struct deferred_split {
	u64 nr_kept;  /* entries in front of the marker: the kernel part, whole */
	bool marked;  /* the marker is there */
	bool cookie_known;
	u64 cookie;
};
struct deferred_split deferred__split(const u64 *chain, u64 nr);

/*
 * Second pass: the user part of @sample, whose chain split as @split says (it must be marked).
 * Fills @out on a match, without touching the record that .ips points into. Sample and record are
 * brought together by time, or by file order when one of them has no time. Costs the same whatever
 * waits when the samples of a thread are asked for in that order: a step in the thread's list, and
 * a few binary searches without a match.
 */
enum deferred_result deferred__match(struct deferred *d, const struct record *sample,
				     const struct deferred_split *split,
				     struct deferred_record *out);

struct deferred_stats {
	u64 records;           /* CALLCHAIN_DEFERRED seen */
	u64 duplicates;        /* of them: said what an earlier one of the same key had said */
	u64 unused;            /* of the rest: nobody asked (other sessions, lost samples) */
	u64 answers[DEFERRED_NR];
};
struct deferred_stats deferred__stats(const struct deferred *d);

#endif
