/* SPDX-License-Identifier: GPL-2.0-only */
/* What perf annotate and the key 'a' of perf report have in common: how code is shown. */
#ifndef PERF_ANNOTATE_ARGS_H
#define PERF_ANNOTATE_ARGS_H

#include "text.h"

struct annotate_args {
	struct listing_opts listing;
	bool source;             /* --source: set it before options are parsed */
	const char *prefix, *type_name;
	unsigned int strip;
	struct annotate_text_opts text;
	struct sources *sources; /* NULL: no file has been read yet */
};

/*
 * Takes what options have said, after they were parsed.
 * @vmlinux: of -k, or NULL
 * Returns: 0; -EINVAL with words.
 */
int annotate_args__finish(struct annotate_args *a, const char *vmlinux, struct error *err);

/* Frees what has been read. */
void annotate_args__free(struct annotate_args *a);

/*
 * Makes the annotated code of a function, without events.
 * @out: filled; for annotation__free(), also on failure
 * Returns: 0; -errno with words.
 */
int annotate_args__listing(struct annotate_args *a, struct symbols *symbols, const struct dso *dso,
			   const struct symbol *sym, struct annotation *out, struct error *err);

/* Of what is shown on the terminal. */
struct annotate_shown {
	struct symbols *symbols;
	const struct code_counts *counts;
	u32 event, nr_events;    /* one, or those of a group */
	const char *event_name;  /* or the names of the group */
};

/*
 * Lets the user walk through a function's code, and through those that it calls. The screen is
 * open.
 * Returns: 0; -errno with words: the function cannot be shown.
 */
int annotate_args__browse(struct annotate_args *a, const struct annotate_shown *shown,
			  const struct dso *dso, const struct symbol *sym, struct error *err);

#endif
