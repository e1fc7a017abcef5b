/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf report and perf top: what the user wants, and the run that shows it. The options that fill
 * it are in options.h; what a run consists of is in state.h.
 */
#ifndef PERF_REPORT_REPORT_H
#define PERF_REPORT_REPORT_H

#include "../annotate/args.h"
#include "../base/clock.h"
#include "../cli/name-options.h"
#include "../stack/filter.h"
#include "../symbol/symbols.h"
#include "../text/report-columns.h"
#include "chain.h"
#include "time.h"

/* As many frames of deep stacks as is usual: see limit_graphs() of view.c. */
#define MAX_STACK_UNSET UINT32_MAX

#define REPORT_QUANTUM (100 * NSEC_PER_MSEC) /* of --sort time */

/* perf top: what is shown is being recorded, by another process. */
struct report_live_opts {
	int fd;               /* the pipe that it comes through */
	u64 delay_ns;         /* between two looks */
	bool zero;            /* each shows only what has come since the last one */
	bool hide_kernel, hide_user;
	unsigned int entries; /* --stdio: lines at most; 0: all */
	u64 max_memory;       /* bytes of this process, beyond which samples are forgotten */
};

/* As given. A run changes nothing of it, and parses what depends on the recording. */
struct report_opts {
	const char *input;           /* NULL: perf.data */
	bool force;
	const struct report_live_opts *live; /* NULL: a recording is read */
	const char *unwind;
	struct symbols_opts symbols;
	struct annotate_args code;

	/* Which samples count, and what as. */
	struct filter_args only;
	struct report_chain_opts chain;
	struct report_time_opts time;
	bool mem_mode, children, chains_asked;
	unsigned int max_stack;      /* frames of each chain; 0: all; MAX_STACK_UNSET */
	bool groups, groups_given;   /* --group */

	/* The form of what is shown. */
	const char *html, *svg;      /* files to be written in place of text */
	const char *source_url;   /* of links of that page: a template; NULL: none */
	const char *about;           /* a function; implies .brief */
	const char *times;           /* a table of threads or processes in place of entries */
	bool dump, header, header_only, stats, tasks, mmaps, stdio, tui, json, brief, hierarchy;
	bool threads;                /* -T */
	const char *pretty;          /* --pretty: NULL, "normal" or "raw" */
	const char *color;
	bool quiet;
	int verbose;

	/* Columns and entries. */
	const char *sort, *fields, *percentage, *percent_limit;
	const char *widths;          /* -w */
	bool nr_samples, total_period, wakers;
	bool cpu_modes;              /* --show-cpu-utilization */
	bool raw_trace;              /* --sort trace: fields as they are */
	u64 quantum;                 /* --sort time: ns that are one entry; not 0 */
	unsigned int group_sort;     /* --group-sort-idx */
	struct report_text_opts text; /* what of it is given; columns follow from the above */

	struct name_opts names;
	bool accepted;               /* with .ignored: options that change nothing */
	const char *ignored;
};

#define REPORT_DEFAULTS                                                                       \
	.children = true, .symbols.inlines = true, .groups = true,                            \
	.quantum = REPORT_QUANTUM, .code.source = true, .max_stack = MAX_STACK_UNSET,         \
	.text.chains = CHAIN_OPTS_DEFAULT

/* Returns: whether --tui, --stdio and other options mean that the terminal is to be taken. */
bool report_opts__want_browser(const struct report_opts *opts);

/* Shows what is asked for. Messages are printed. Returns: the exit status. */
int report__run(const struct report_opts *opts);

#endif
