/* SPDX-License-Identifier: GPL-2.0-only */
/* What perf script prints of samples and records: as text, as JSON, or into a file per event. */
#ifndef PERF_SCRIPT_VIEW_H
#define PERF_SCRIPT_VIEW_H

#include "../pipeline/pipeline.h"
#include "dumps.h"
#include "lines.h"
#include "script.h"

struct script_view {
	const struct script_opts *opts;
	struct script_lines lines;
	struct textbuf out;
	struct event_dumps dumps; /* of --per-event-dump */
	struct cgroups cgroups;   /* of the field cgroup */
	u64 nr_printed;           /* samples */
};

/*
 * Begins with a recording.
 * @opts: borrowed, as all that follows
 * @stops: functions that end a callchain
 * Returns: 0; -EINVAL with words: the recording does not have a field.
 */
int script_view__init(struct script_view *v, const struct script_opts *opts, struct recording *rec,
		      const struct name_list *stops, struct error *err);

/* Takes from @p where names come from. */
void script_view__use(struct script_view *v, struct pipeline *p);

/* Frees all but .out, and closes the files. Returns: 0; -errno with words: one was not written. */
int script_view__free(struct script_view *v, struct error *err);

/* Prints what stands before the first sample. */
void script_view__begin(struct script_view *v);

/* Prints what stands behind the last one. @complete: nothing of the recording was damaged */
void script_view__end(struct script_view *v, bool complete);

/* Returns: whether all samples are printed that --head wants. */
bool script_view__is_enough(const struct script_view *v);

/*
 * Prints a sample.
 * @leaf: its location; NULL: it is not known yet
 * Returns: 0; -ECANCELED when it is the last that is wanted; or -errno.
 */
int script_view__sample(struct script_view *v, const struct whole_sample *ws,
			const struct location *leaf);

/* Notes what a record says about the rest, before anything is printed of it. */
void script_view__note(struct script_view *v, const struct record *rec);

/* Prints a deferred callchain that was left as recorded. @t: its thread */
void script_view__deferred(struct script_view *v, const struct record *rec,
			   const struct thread *t);

/* Prints a record, if it is of a kind that is shown. @machine: its threads */
void script_view__record(struct script_view *v, const struct record *rec,
			 struct machine *machine);

#endif
