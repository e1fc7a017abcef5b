/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What perf stitch did, as a table for people (--stats) or as JSON: the same figures under the
 * same names, for each event of the recording and in all. The table leaves out what is 0
 * everywhere.
 *
 * JSON: {"events": {NAME: ACCOUNT...}, "total": ACCOUNT, "records": {...}, "file": {...}} where
 * ACCOUNT is {"samples": n, "user part": {...}, "deferred": {...}, "unwinding ended": {...},
 * "frames": {...}}. Events of the same name have "#2", "#3" behind theirs.
 */
#ifndef PERF_OUTPUT_STITCH_TEXT_H
#define PERF_OUTPUT_STITCH_TEXT_H

#include "../complete/stitch.h"
#include "textbuf.h"

void textbuf__stitch_table(struct textbuf *tb, const struct stitch_result *res,
			   const struct recording *rec);
void textbuf__stitch_json(struct textbuf *tb, const struct stitch_result *res,
			  const struct recording *rec);

#endif
