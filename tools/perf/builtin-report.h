/* SPDX-License-Identifier: GPL-2.0-only */
/* perf report: its state, for the files of the command. */
#ifndef PERF_BUILTIN_REPORT_H
#define PERF_BUILTIN_REPORT_H

#include "builtin-annotate.h"
#include "builtin-report-chain.h"
#include "builtin-report-threads.h"
#include "builtin-report-time.h"
#include "util/base/clock.h"
#include "util/browser/browser.h"
#include "util/cli/debug-servers.h"
#include "util/cli/progress.h"
#include "util/data/cpu-topology.h"
#include "util/data/event-groups.h"
#include "util/data/tracepoint.h"
#include "util/pipeline/pipeline.h"
#include "util/state/cgroups.h"

/* As many frames of deep stacks as is usual: see limit_graphs() of builtin-report.c. */
#define MAX_STACK_UNSET UINT32_MAX

#define REPORT_QUANTUM (100 * NSEC_PER_MSEC) /* of --sort time */

#define REPORT_DEFAULTS                                                                       \
	.merge = true, .children = true, .demangle = true, .symbols.inlines = true,           \
	.groups = true, .quantum = REPORT_QUANTUM, .code.source = true,                       \
	.max_stack = MAX_STACK_UNSET,                                                         \
	.text.chains = CHAIN_OPTS_DEFAULT

/* perf top: what is shown is being recorded, by another process. */
struct report_live {
	int fd;              /* the pipe that it comes through */
	u64 delay_ns;        /* between two looks */
	bool zero;           /* each shows only what has come since the last one */
	bool hide_kernel, hide_user;
	u32 entries;         /* --stdio: lines at most; 0: all */
	u64 max_memory;      /* bytes of this process, beyond which samples are forgotten */
	u64 next_look, next_check; /* ns */
	u32 nr_forgotten;    /* how often that was */
	struct hist *old;    /* those before, of which the screen may still show names; or NULL */
};

struct report {
	const char *html, *svg;   /* files to be written in place of text */
	const char *input, *sort, *fields, *percentage;
	const char *about;        /* a function; implies .brief */
	struct filter_args only;
	bool force, dump, header, header_only, stdio, tui, brief, merge, quiet;
	bool nr_samples, total_period, stats, tasks;
	bool cpu_modes;              /* --show-cpu-utilization */
	bool json, children, chains_asked, demangle;
	bool hierarchy;
	bool threads;                /* -T */
	const char *pretty;          /* --pretty: NULL, "normal" or "raw" */
	struct thread_counts counted; /* of .threads */
	u64 quantum;                 /* --sort time: ns that are one entry; not 0 */
	unsigned int group_sort;     /* --group-sort-idx */
	bool mmaps, accepted;        /* .accepted, .ignored: options that change nothing */
	const char *ignored;
	const char *widths;          /* -w */
	u32 socket;                  /* --socket-filter */
	struct cpu_topology topology; /* of the recording, when it was asked for */
	bool has_topology;
	struct map64 processes;      /* --sort tgid: pid -> struct process_name */
	struct cgroups cgroups;      /* --sort cgroup */
	struct report_chain chain;
	bool only_counts_frames;
	bool wakers;                 /* --sort wakers */
	bool mem_mode;
	bool raw_trace;              /* --sort trace: fields as they are */
	const char *times;           /* a table of threads or processes in place of entries */
	const char *color, *percent_limit;
	int verbose;
	unsigned int max_stack;
	const char *unwind;
	struct symbols_opts symbols;
	struct debug_servers servers;
	struct report_text_opts text;
	struct annotate_args code;
	struct code_counts counts;   /* for .browser */

	struct sample_filter filter;
	struct hist_opts hist_opts;
	bool text_keys;              /* some of its keys are texts of samples */
	bool groups, groups_given;
	struct event_group all;      /* --group: every event of the recording */
	struct event_groups event_groups;
	struct hist *hists;          /* one per event of the recording, or the first of a group */
	const struct reader *reader;
	const struct recording *recording;
	struct pipeline *pipeline;
	struct resolver *resolver;
	struct tracepoints *traces;
	struct report_time time;
	struct arena *arena;
	struct frames frames;
	struct progress progress;
	struct textbuf out;
	struct browser *browser;     /* NULL: text */
	struct report_live *live;    /* NULL: a recording is read */
	bool again;                  /* the browser wants the recording to be read once more */
	char *asked_sort, *asked_time; /* of the browser; .sort and .only.time point there */
	struct textbuf left_out;     /* lines about columns that are left out because of filters */
};

/*
 * Makes the columns, the keys and the order of entries from -s, -F, -n and others.
 * Returns: 0; -EINVAL with words.
 */
int report__make_columns(struct report *r, struct error *err);

/* Fills @c with the texts of a sample, @ws, by the keys that are such. Its frames are r->frames. */
void report__describe_texts(struct report *r, const struct whole_sample *ws,
			    struct hist_context *c);

/* Returns: what a sample counts for with --mem-mode: its weight; 1 if it has none. */
u64 report__memory_cost(const struct whole_sample *ws);

#define REPORT_NO_SOCKET UINT32_MAX

/* Returns: the socket that @cpu is in; REPORT_NO_SOCKET: the recording does not say. */
u32 report__socket(struct report *r, u32 cpu);

/* Returns: the recording's name, for words. */
static inline const char *report__input_name(const struct report *r)
{
	return r->input ? r->input : "perf.data";
}

/* Returns: the events that are shown together with @event, or NULL. */
const struct event_group *report__group_of(const struct report *r, u32 event);

/* Returns: the place of @event among those that one histogram is of; 0: the first, or alone. */
u32 report__place_in_group(const struct report *r, u32 event);

/* Appends the name of @event, or of the group whose first one it is. */
void report__put_event_name(const struct report *r, u32 event, struct textbuf *tb);

/*
 * Appends lines about all events: what was lost, and how much is whole. Each begins with '#'.
 * pipeline__run() has ended.
 */
void report__put_account(const struct report *r, struct textbuf *tb);

/*
 * The callback of --group.
 * @arg: not used
 * @unset: it is --no-group
 * Returns: 0.
 */
int report__parse_groups(const struct option *opt, const char *arg, bool unset);

/* Runs the command, whose options have been parsed. Returns the exit status. */
int report__run(struct report *r);

/* Forgets all samples so far, with r->live. */
void report_live__zero(struct report *r);

/* Frees what r->live has of the run of a pipeline. */
void report_live__end(struct report *r);

/* Returns: whether samples of @cpumode are not to be shown; only with r->live. */
bool report_live__hides(const struct report *r, u8 cpumode);

/*
 * As the function of reader__open_live_fd(): shows what there is.
 * @report: with .live
 * Returns: 0; -errno: the user has seen enough, or nothing can be written.
 */
int report_live__idle(void *report);

/* Prints the report. pipeline__run() has ended. */
void report__put(struct report *r);

/* Returns: whether --tui, --stdio and other options mean that the terminal is to be taken. */
bool report__wants_browser(const struct report *r);

/* Takes the terminal. Returns 0, with r->browser for browser__free(); -errno with words. */
int report__open_browser(struct report *r, struct error *err);

/*
 * Lets the user look at the samples.
 * @ret: what pipeline__run() has returned
 * Returns: 0; @ret, if it is an error; r->again is set when the recording must be read once more.
 */
int report__browse(struct report *r, int ret);

#endif
