/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The terminal interface of `perf report`: entries and their call trees, walked with keys, which
 * are those of perf where perf has them.
 *
 * It shows histograms that somebody else fills. While they are being filled, browser__poll() shows
 * what there is so far and does what the keys say; afterwards browser__run() goes on with it.
 */
#ifndef PERF_BROWSER_BROWSER_H
#define PERF_BROWSER_BROWSER_H

#include "../text/report-columns.h"

/* What the browser asks of its caller. All are given @ctx. */
struct browser_source {
	void *ctx;
	/* Returns: how many histograms there are. */
	size_t (*nr)(void *ctx);
	/* Returns: the samples of histogram @i, without hist__finish(); NULL: not shown. */
	const struct hist *(*hist)(void *ctx, size_t i);
	/* Appends the name of the event, or events, of histogram @i. */
	void (*put_name)(void *ctx, size_t i, struct textbuf *tb);
	/* Append texts for people: how much is whole, and what was lost; the header. */
	void (*put_account)(void *ctx, struct textbuf *tb);
	void (*put_header)(void *ctx, struct textbuf *tb);
	/*
	 * Other sort keys, or another time range, as of -s and --time. Changes the options.
	 * Returns: 0; 1: the recording must be read again for that; -EINVAL with words.
	 */
	int (*sort)(void *ctx, const char *keys, struct error *err);
	int (*time)(void *ctx, const char *range, struct error *err);
	/*
	 * Shows the code of a function of histogram @i until the user comes back.
	 * Returns: 0; -errno with words.
	 */
	int (*annotate)(void *ctx, size_t i, const struct stack_frame *f, struct error *err);
	/*
	 * Of samples that come without end: forgets those so far. browser__poll() then shows anew
	 * every .delay_ns. NULL: a recording is read.
	 */
	void (*zero)(void *ctx);
	u64 delay_ns;
	bool each_anew; /* and calls .zero each time */
};

/* How histograms are shown. The caller's; the browser changes .text. */
struct browser_opts {
	struct report_text_opts *text;
	struct hist_opts *hist;
};

enum browser_end {
	BROWSER_QUIT,
	BROWSER_READ_AGAIN, /* and call browser__run() again */
};

struct browser;

/* Returns: whether @path is that of a file that the browser saves (a broker_makes_fn). */
bool browser__makes(const void *ctx, const char *path);

/*
 * Takes the terminal. To be called before this process is confined: the terminal's description is
 * read from a file.
 * @source: copied
 * @opts: copied; what it points to is borrowed
 * @out: for browser__free()
 * Returns: 0; -errno with words.
 */
int browser__new(struct browser **out, const struct browser_source *source,
		 const struct browser_opts *opts, struct error *err);

/* Gives the terminal back. @b may be NULL. */
void browser__free(struct browser *b);

/*
 * To be called now and then while samples are added; cheap. As pipeline_opts.progress.
 * @browser: the struct browser
 * @done, @total: in any unit
 * Returns: 0; -EINTR: the user quits, or something has to be read again, as browser__run() says.
 */
int browser__poll(void *browser, u64 done, u64 total);

/* Shows all samples. Returns: what the user wants then. */
enum browser_end browser__run(struct browser *b);

/* The histograms are about to be freed, or filled again. */
void browser__forget(struct browser *b);

#endif
