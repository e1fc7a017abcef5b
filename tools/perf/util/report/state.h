/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run of perf report, for the files of the room: the options, which nothing changes; the view,
 * which the browser may change; and the state, which begins anew with each reading of the
 * recording.
 */
#ifndef PERF_REPORT_STATE_H
#define PERF_REPORT_STATE_H

#include "../browser/browser.h"
#include "../cli/debug-servers.h"
#include "../cli/progress.h"
#include "../pipeline/pipeline.h"
#include "groups.h"
#include "report.h"
#include "sample-keys.h"
#include "threads.h"

/* What is shown, and how. */
struct report_view {
	const char *sort, *fields, *time;
	char *asked_sort, *asked_time;  /* of the browser; .sort and .time point there */
	struct report_text_opts text;
	struct hist_opts hist;          /* of histograms: keys, order, filter */
	unsigned int max_stack;         /* frames of each chain that are looked at; 0: all */
	struct textbuf left_out;        /* lines about columns that filters leave out */
	struct textbuf out;
	struct browser *browser;        /* NULL: text */
	bool again;                     /* the browser wants the recording to be read once more */
	struct annotate_args code;
};

/* perf top. */
struct report_live {
	u64 next_look, next_check; /* ns */
	u32 nr_forgotten;          /* how often memory was full */
	struct hist *old;          /* those before: the screen may still show names; or NULL */
};

/* A recording that is being read, and what its samples are counted in. */
struct report_state {
	const struct reader *reader;
	const struct recording *recording;
	struct pipeline *pipeline;
	struct resolver *resolver;
	struct tracepoints *traces;
	struct arena *arena;
	struct progress progress;

	struct sample_filter filter;
	u32 socket;                  /* --socket-filter */
	struct report_chain chain;
	struct report_time time;
	struct sample_keys keys;
	struct frames frames;        /* of the present sample */
	bool only_counts_frames;     /* see sink.c */

	struct report_groups groups;
	struct hist *hists;          /* one per event of the recording, or the first of a group */
	struct thread_counts threads; /* -T */
	struct code_counts counts;   /* for the browser */
	struct report_live live;
};

struct report {
	const struct report_opts *opts;
	struct report_view view;
	struct report_state state;
	struct symbols_opts symbols; /* of .opts, with servers and bundles; of all readings */
	struct debug_servers servers;
};

/* Returns: the recording's name, for words. */
static inline const char *report__input_name(const struct report *r)
{
	return r->opts->input ? r->opts->input : "perf.data";
}

/* view.c */

/*
 * Makes the view, and what chooses samples, of the options and the recording.
 * Returns: 0; -errno with words.
 */
int report__make_view(struct report *r, struct error *err);

/* columns.c */

/*
 * Makes the columns, the keys and the order of entries from -s, -F, -n and others.
 * Returns: 0; -EINVAL with words.
 */
int report__make_columns(struct report *r, struct error *err);

/* sink.c */

/* Finds out what samples need; histograms have been made. */
void report__begin_samples(struct report *r);

/*
 * The functions of a sink.
 * @ctx: a struct report
 * Returns: 0.
 */
int report__sample(void *ctx, const struct whole_sample *ws);
int report__record(void *ctx, const struct record *rec);

/* print.c */

/* Prints the report. pipeline__run() has ended. */
void report__put(struct report *r);

/* Appends the name of @event, or of the group whose first one it is. */
void report__put_event_name(const struct report *r, u32 event, struct textbuf *tb);

/*
 * Appends lines about all events: what was lost, and how much is whole. Each begins with '#'.
 * pipeline__run() has ended.
 */
void report__put_account(const struct report *r, struct textbuf *tb);

/* live.c: only with opts->live */

/* Forgets all samples so far. */
void report_live__zero(struct report *r);

/* Frees the histograms before the last report_live__zero(). */
void report_live__forget_old(struct report *r);

/* Returns: whether samples of @cpumode are not to be shown. */
bool report_live__hides(const struct report *r, u8 cpumode);

/*
 * As the function of reader__open_live_fd(): shows what there is.
 * @report: a struct report
 * Returns: 0; -errno: the user has seen enough, or nothing can be written.
 */
int report_live__idle(void *report);

/* browse.c */

/* Takes the terminal. Returns 0, with view.browser for browser__free(); -errno with words. */
int report__open_browser(struct report *r, struct error *err);

/*
 * Lets the user look at the samples.
 * @ret: what pipeline__run() has returned
 * Returns: 0; @ret, if it is an error; view.again is set when the recording must be read once more.
 */
int report__browse(struct report *r, int ret);

#endif
