/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What `perf diff --runs` says of an event: which functions and paths have changed by more than
 * chance, with intervals. As text, or as Markdown for a pull request, in which names can be nothing
 * but names.
 */
#ifndef PERF_DIFF_CHANGE_TEXT_H
#define PERF_DIFF_CHANGE_TEXT_H

#include "../text/textbuf.h"
#include "limit.h"
#include "paths.h"
#include "shown.h"

enum diff_format { DIFF_TEXT, DIFF_MARKDOWN, DIFF_JSON };

struct diff_change_opts {
	enum diff_format format;
	const struct diff_groups *groups;
	const struct column_list *keys;  /* of the table's rows */
	const char *const *files;        /* names of the recordings, those before first */
	const struct diff_shown *shown;  /* NULL: names as they are */
	u32 limit;                       /* lines of a list; 0: all */
	bool all;                        /* also what may be chance */
	bool quiet;                      /* neither what was compared nor how */
};

/* What of an event is shown. */
struct diff_findings {
	const char *event_name;
	const struct diff_table *t;
	struct diff_changes *changes;
	const struct diff_paths *paths;  /* NULL: not asked for */
	struct diff_changes *path_changes;
};

/* Appends all of it. */
void textbuf__changes(struct textbuf *tb, const struct diff_findings *f,
		      const struct diff_change_opts *o);

/*
 * Appends a line of a condition, and whether it @holds.
 * @name: of the function; NULL: of the run
 */
void textbuf__limit(struct textbuf *tb, const struct diff_limit *l, const char *name,
		    const struct stat_change *c, bool holds, const struct diff_change_opts *o);

#endif
