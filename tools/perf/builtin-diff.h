/* SPDX-License-Identifier: GPL-2.0-only */
/* perf diff: its state, for the files of the command. */
#ifndef PERF_BUILTIN_DIFF_H
#define PERF_BUILTIN_DIFF_H

#include "util/cli/debug-servers.h"
#include "util/data/recording.h"
#include "util/profile/diff-limit.h"
#include "util/profile/diff-paths.h"
#include "util/stack/filter.h"
#include "util/symbol/symbols.h"
#include "util/text/diff-change-text.h"
#include "util/text/diff-text.h"

/* An event of the first recording, and what the others have of the same. */
struct diff_event {
	char *name;
	struct perf_event_attr attr;
	struct diff_table table;
	struct diff_paths paths;   /* with --paths */
};

struct diff {
	/* As given. */
	const char *sort, *compute, *percentage, *normalize, *format, *confidence, *time, *html;
	unsigned int order_run;
	bool accepted;      /* options that change nothing */
	bool force, relative, quiet, runs, with_paths;
	int verbose;
	VEC(struct diff_limit) limits;
	struct filter_args only;
	struct symbols_opts symbols;
	struct debug_servers servers;

	struct column_list keys;
	struct column_list left_out;   /* of the keys: a filter lets only one value pass */
	VEC(const char *) files;       /* the baseline, or those before, first */
	struct diff_groups groups;
	struct diff_text_opts text;
	struct diff_change_opts changes;
	VEC(struct diff_event) events;
	bool any_chains;
	u64 nr_samples;                /* of all recordings */
	struct textbuf out;
};

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
