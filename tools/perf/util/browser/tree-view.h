/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a browser of a histogram has on its screen: a row for each entry, and below an entry that is
 * open its call tree, as far as that is open.
 *
 * The histogram is made anew of another one whenever something else is to be shown: samples that
 * have come since, a zoom, other keys. What is open has a key that is the same in all of them, and
 * so stays open.
 */
#ifndef PERF_BROWSER_TREE_VIEW_H
#define PERF_BROWSER_TREE_VIEW_H

#include "../text/report-columns.h"

enum tree_sign {
	ROW_PLAIN,  /* nothing is below it */
	ROW_CLOSED,
	ROW_OPEN,
};

struct tree_row {
	u64 key;       /* of what .sign is about: a branch, or the entry */
	u32 entry;     /* of the histogram */
	u32 node;      /* chain_node of the entry's tree; 0: the row is the entry itself */
	u16 level;     /* of a node: branches above it, from 0 */
	u8 sign;       /* enum tree_sign */
	bool branches; /* of a node: not all samples of the one above it go there */
};

/* Internal: the call tree of an entry that is open. */
struct tree_of_entry {
	u32 entry;
	chain_node_vec nodes;
};

/* Entries that are not rows, though the histogram has them. All zero: none. */
struct tree_filter {
	const char *name; /* only functions whose names contain this; NULL: all */
	const char *dso;  /* only those in binaries of this short name; NULL: all */
	bool kernel;      /* only those of the kernel */
};

struct tree_view {
	struct hist hist;
	struct report_columns columns;
	const struct report_text_opts *opts;
	struct tree_filter filter;
	VEC(struct tree_row) v;
	struct map64 open;          /* keys of what is open */
	VEC(struct tree_of_entry) trees;
	struct map64 tree_of;       /* entry -> its place in .trees + 1 */
	struct chain_tree builder;
	bool shown;
};

/* @r: for tree_view__free() */
void tree_view__init(struct tree_view *r);

/* Frees the rows and the histogram. */
void tree_view__free(struct tree_view *r);

/*
 * Makes the histogram and the rows.
 * @all: as of hist__zoom()
 * @hist_opts: of the histogram that is made
 * @zoom: what it shows
 * @opts: how; borrowed
 */
void tree_view__show(struct tree_view *r, const struct hist *all, const struct hist_opts *hist_opts,
		const struct hist_zoom *zoom, const struct report_text_opts *opts);

/* Makes the rows again, because .filter, or the contents of the options, have changed. */
void tree_view__refresh(struct tree_view *r);

/* Opens or closes what is below row @nr. Returns: false: there is nothing. */
bool tree_view__toggle(struct tree_view *r, size_t nr);

/* Opens everything in the entry of row @nr; closes it if the entry is open. */
void tree_view__toggle_entry(struct tree_view *r, size_t nr);

/* Opens everything. */
void tree_view__open_all(struct tree_view *r);

/* Closes everything. */
void tree_view__close_all(struct tree_view *r);

/* Returns: the row with @key (an entry if @is_entry), or the number of rows: none has it. */
size_t tree_view__find(const struct tree_view *r, u64 key, bool is_entry);

/* Returns: the row that @nr is below: of a function, the first of its callers. An entry: itself. */
size_t tree_view__parent(const struct tree_view *r, size_t nr);

/*
 * Looks for @text in the rows behind @from, or with @backwards in front of it, and begins again at
 * the other end. Upper and lower case are equal.
 * Returns: the number of the row; the number of rows: none has it.
 */
size_t tree_view__search(const struct tree_view *r, size_t from, bool backwards, const char *text);

/* Appends the text of row @nr, without a newline. */
void tree_view__text(const struct tree_view *r, size_t nr, struct textbuf *tb);

/*
 * Shortens the text of row @nr, which is all that @tb has, where it is longer than @columns: by the
 * namespaces in front of the function's own name, as far as they have to go (name__fit()).
 */
void tree_view__fit(const struct tree_view *r, size_t nr, size_t columns, struct textbuf *tb);

/* Returns: the share of row @nr in percent. */
double tree_view__percent(const struct tree_view *r, size_t nr);

/* Returns: the frame of row @nr, a function or an address. */
const struct stack_frame *tree_view__frame(const struct tree_view *r, size_t nr);

#endif
