/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of a recording that have samples, as text or on the terminal. */
#ifndef PERF_ANNOTATE_FUNCTIONS_H
#define PERF_ANNOTATE_FUNCTIONS_H

#include "../base/hash.h"
#include "../data/event-groups.h"
#include "annotate.h"

/* What is shown. The caller sets the first four members, and zeroes the rest. */
struct annotate_functions {
	const struct annotate_opts *opts;
	const struct recording *recording;
	struct symbols *symbols;
	const struct code_counts *counts;
	struct annotate_args code; /* of .opts; keys change it */
	struct event_groups groups;
	u32 nr_shown, nr_failed;
	struct map64 told;         /* dsos that have functions which could not be shown */
};

/*
 * Shows all functions that are wanted, on the screen, which is open, with .opts->tui.
 * @out: gets the text
 * Returns: 0; -errno with words, -ENODATA if there is none.
 */
int annotate_functions__show(struct annotate_functions *a, struct textbuf *out, struct error *err);

#endif
