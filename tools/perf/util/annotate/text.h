/* SPDX-License-Identifier: GPL-2.0-only */
/* `perf annotate --stdio`: a function's code with its samples, in perf's shapes. */
#ifndef PERF_ANNOTATE_TEXT_H
#define PERF_ANNOTATE_TEXT_H

#include "../text/textbuf.h"
#include "annotation.h"

enum annotate_column { ANNOTATE_PERCENT, ANNOTATE_SAMPLES, ANNOTATE_PERIOD };

struct annotate_text_opts {
	enum annotate_column column;
	enum percent_type type;
	bool full_paths; /* of binaries */
	bool lines;      /* -l: source lines that have samples; and first a summary of them */
};

/*
 * Appends the annotated code.
 * @event_name: or the names of a group
 * @symbols: for source lines; used with opts->lines only
 */
void textbuf__annotation(struct textbuf *tb, const struct annotation *a, const char *event_name,
			 struct symbols *symbols, const struct annotate_text_opts *opts);

#endif
