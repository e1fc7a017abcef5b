/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What perf stitch did, as a table for people (--stats) or as JSON: the same figures with the same
 * names, for each event of the recording and in all. The table has no rows that are 0 everywhere.
 *
 * JSON: {"events": {NAME: ACCOUNT...}, "total": ACCOUNT, "records": {...}, "file": {...}} where
 * ACCOUNT is {"samples": n, "user part": {...}, "deferred": {...}, "unwinding ended": {...},
 * "frames": {...}, ...}. Events of the same name have "#2", "#3" behind theirs.
 *
 * With details, both go on with threads and binaries: "threads": [{"comm": COMM, "pid": n, "tid":
 * n, ACCOUNT...}...], "binaries": [{"name": NAME, "frames": {...}, "unwinding ended": {...}}...].
 */
#ifndef PERF_STITCH_STITCH_TEXT_H
#define PERF_STITCH_STITCH_TEXT_H

#include "stitch.h"
#include "../text/textbuf.h"
#include "../text/thread-stats.h"
#include "../text/unwind-stats.h"

struct stitch_details {
	struct thread_stats threads;  /* sorted */
	struct unwind_stats binaries;
};

/* Print the figures of a stitched recording. @details: NULL: without. */
void textbuf__stitch_table(struct textbuf *tb, const struct stitch_result *res,
			   const struct recording *rec, const struct stitch_details *details);
void textbuf__stitch_json(struct textbuf *tb, const struct stitch_result *res,
			  const struct recording *rec, const struct stitch_details *details);

#endif
