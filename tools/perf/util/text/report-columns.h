/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The columns of `perf report`: titles, and the line of each entry, in perf's shapes.
 *
 *	report_columns__init(&c, h, &opts);     // after hist__finish(): looks at every entry
 *	report_columns__titles(&c, &text);
 *	report_columns__entry(&c, e, &text);
 */
#ifndef PERF_TEXT_REPORT_COLUMNS_H
#define PERF_TEXT_REPORT_COLUMNS_H

#include "chain-text.h"

#define REPORT_ADDRESS_DIGITS 16 /* of an address without a symbol */

struct report_text_opts {
	struct column_list columns;  /* what is printed, from left to right */
	struct chain_opts chains;
	double min_percent;          /* entries with less are left out */
	bool relative;               /* 100 % are the samples that pass the filters */
	bool latency;                /* periods are those of --latency */
	bool quiet;                  /* no '#' lines */
	bool skip_own_name;          /* of trees that begin with the symbol of their entry */
	const char *time;            /* --time as given, for the header; or NULL */
	const char *socket;          /* --socket-filter as given, for the header; or NULL */
	const char *mem_keys;        /* --mem-mode: what it is sorted by; or NULL */
	bool resolved_only;          /* -U: no entries without a symbol */
	const char *symbol_filter;   /* only functions whose names contain this; NULL: all */
	size_t fixed_widths[COLUMNS_MAX]; /* -w, of .columns; 0: as wide as its contents */
	unsigned int nr_widths;
	bool ns;                     /* --sort time: with nine decimals */
	const char *separator;       /* -t; NULL: columns of fixed width */
};

struct report_columns {
	const struct hist *h;
	const struct report_text_opts *o;
	u64 totals[HIST_EVENTS_MAX];     /* 100 %, of each event */
	u32 nr_shown;                    /* events of the group that have samples */
	size_t widths[COLUMN_NR];
};

/*
 * Measures the columns.
 * @p: filled; needs no freeing
 * @h, @o: borrowed
 */
void report_columns__init(struct report_columns *p, const struct hist *h,
			  const struct report_text_opts *o);

/* Returns: what part of all of an @event (of the group) a sum of @period is, in percent. */
double report_columns__percent(const struct report_columns *p, u32 event, u64 period);

/* Returns: whether an entry's share is large enough to be shown. */
bool report_columns__is_large(const struct report_columns *p, const struct hist_entry *e);

/* Returns: whether an entry is shown, as far as its symbol matters. */
bool report_columns__wants(const struct report_columns *p, const struct hist_entry *e);

/* Returns: whether an entry is shown: by its share, and by its symbol. */
bool report_columns__shows(const struct report_columns *p, const struct hist_entry *e);

/*
 * Append "Samples: 2K of event 'cycles'", and "Event count (approx.): 2400000".
 * @event_name: or the names of the group
 */
void report_columns__samples(const struct report_columns *p, const char *event_name,
			     struct textbuf *tb);
void report_columns__event_count(const struct report_columns *p, struct textbuf *tb);

/* Appends the titles, as wide as their columns, without a newline. */
void report_columns__titles(const struct report_columns *p, struct textbuf *tb);

/* Returns: how wide the columns are together, with what is between them. */
size_t report_columns__width(const struct report_columns *p);

/* Appends a line of dots below the titles, without a newline. */
void report_columns__rule(const struct report_columns *p, struct textbuf *tb);

/* Appends an entry's text in a column that is a key, without padding. */
void report_columns__key(const struct hist *h, enum column c, const struct hist_entry *e,
			 struct textbuf *tb);

/* Returns: whether a column is padded. Names in the @last column are not, as in perf. */
bool report_columns__pads(enum column c, bool last);

/* Appends the line of an entry, without a newline. */
void report_columns__entry(const struct report_columns *p, const struct hist_entry *e,
			   struct textbuf *tb);

#endif
