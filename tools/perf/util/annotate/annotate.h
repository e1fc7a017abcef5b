/* SPDX-License-Identifier: GPL-2.0-only */
/* perf annotate: what the user wants, and the run that shows it. */
#ifndef PERF_ANNOTATE_ANNOTATE_H
#define PERF_ANNOTATE_ANNOTATE_H

#include "../cli/name-options.h"
#include "../stack/filter.h"
#include "../symbol/symbols.h"
#include "args.h"

/* As given. A run changes nothing of it. */
struct annotate_opts {
	const char *input;         /* NULL: perf.data */
	bool force;
	struct symbols_opts symbols;
	struct name_opts names;
	struct filter_args only;   /* .syms: the function; NULL: all */
	const char *percent_limit; /* of the samples, in functions that are shown; NULL: 0 */
	double min_percent;        /* the same; set by annotate_opts__finish() */
	bool groups;               /* events of a group side by side */
	bool skip_missing;         /* no words on functions whose code is not here */
	struct annotate_args code;
	bool nr_samples, total_period; /* columns in place of percentages */
	bool dump, stdio, tui, quiet;
};

/*
 * Checks what options have said, and chooses between text and browser.
 * @o: .tui, .min_percent and .code are completed
 * Returns: 0; -EINVAL with words, which name the options.
 */
int annotate_opts__finish(struct annotate_opts *o, struct error *err);

/* Shows what is asked for. Messages are printed. Returns: the exit status. */
int annotate__run(const struct annotate_opts *opts);

#endif
