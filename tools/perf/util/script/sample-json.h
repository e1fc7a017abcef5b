/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of `perf script --json`: an object each. What they may contain is in
 * Documentation/perf-script-json.schema.json, and when SCRIPT_JSON_VERSION has to change is in
 * Documentation/perf-script.txt: members may be added, but neither change nor go.
 *
 * They share struct script_lines, and with it the choice of fields, with the lines of text.
 */
#ifndef PERF_SCRIPT_SAMPLE_JSON_H
#define PERF_SCRIPT_SAMPLE_JSON_H

#include "lines.h"

#define SCRIPT_JSON_VERSION 1

/* The first line: the version, and what is true of the whole recording. */
void script_json__header(struct textbuf *tb, const struct recording *r);

/* Each is the same as its script_lines__ namesake, but for the form. @comm: of its thread. */
void script_json__sample(struct script_lines *l, const struct whole_sample *ws,
			 const struct location *leaf);
void script_json__record(struct script_lines *l, const struct record *rec, const char *comm);
void script_json__deferred(struct script_lines *l, const struct record *rec,
			   const struct thread *t);

/* The last line. @nr_samples: lines of samples; @complete: nothing of the recording was damaged. */
void script_json__end(struct textbuf *tb, u64 nr_samples, bool complete);

#endif
