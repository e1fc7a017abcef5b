/* SPDX-License-Identifier: GPL-2.0-only */
/* perf diff: what the user wants, how it is shown, and what was counted. */
#ifndef PERF_DIFF_DIFF_H
#define PERF_DIFF_DIFF_H

#include "../cli/name-options.h"
#include "../data/recording.h"
#include "../stack/filter.h"
#include "../symbol/symbols.h"
#include "change-text.h"
#include "limit.h"
#include "names.h"
#include "paths.h"
#include "shown.h"
#include "text.h"

/* An event of the first recording, and what the others have of the same. */
struct diff_event {
	char *name;
	struct perf_event_attr attr;
	struct diff_table table;
	struct diff_paths paths;   /* with --paths */
};

/* As given, and what diff_opts__finish() makes of it. A run changes nothing of it. */
struct diff_opts {
	const char *sort, *compute, *percentage, *normalize, *format, *confidence, *time, *html;
	unsigned int order_run;
	bool accepted;      /* options that change nothing */
	bool force, relative, quiet, runs, with_paths;
	int verbose;
	VEC(struct diff_limit) limits;
	struct filter_args only;
	struct symbols_opts symbols;
	struct name_opts demangle;
	struct column_list keys;
	VEC(const char *) files;       /* the baseline, or those before, first */
	struct diff_groups groups;
	struct diff_text_opts text;
	struct diff_change_opts changes;
};

/* How what was counted is shown. */
struct diff_view {
	struct column_list left_out;   /* of the keys: a filter lets only one value pass */
	struct diff_groups groups;     /* of the options, and completed; as the next two */
	struct diff_text_opts text;
	struct diff_change_opts changes;
	struct diff_shown shown;       /* of the tables, for people */
	struct textbuf out;
};

/* What was counted. */
struct diff_state {
	VEC(struct diff_event) events;
	struct diff_names names;       /* of functions in .events */
	bool any_chains;
	u64 nr_samples;                /* of all recordings */
};

struct diff {
	const struct diff_opts *opts;
	struct symbols_opts symbols;   /* of .opts, with debug servers and bundles */
	struct diff_view view;
	struct diff_state state;
};

/* Compares the recordings. Messages are printed. Returns: the exit status. */
int diff__run(const struct diff_opts *opts);

/*
 * Reads a recording, and adds its entries as run @run to the tables of its events; the first one
 * makes these.
 * Returns: 0; -EBADMSG: it is damaged, which was printed, and what is readable was added; -errno
 *         with words.
 */
int diff__read(struct diff *d, u32 run, struct error *err);

/* Returns: the part of --time that is of recording @run, for free(); NULL: none. */
char *diff__time_of_run(const struct diff *d, u32 run);

/* Prints all events. Returns 0; 2: a condition of --fail-if holds; -errno with words. */
int diff__put(struct diff *d, struct error *err);

/*
 * Writes a page that compares the recordings, when all were read, and printed.
 * @name: of the file
 * Returns: 0 or -errno with words.
 */
int diff__write_page(struct diff *d, const char *name, struct error *err);

#endif
