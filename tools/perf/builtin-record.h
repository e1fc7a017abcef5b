/* SPDX-License-Identifier: GPL-2.0-only */
/* perf record's options: what the table points at, and the callbacks that read values. */
#ifndef PERF_BUILTIN_RECORD_H
#define PERF_BUILTIN_RECORD_H

#include <limits.h>

#include "util/cli/options.h"
#include "util/cli/push-rounds.h"
#include "util/record/defer-choice.h"
#include "util/record/recorder.h"

struct record_cmd {
	struct recorder_opts rec;
	struct event_list events, switch_events;
	const char *control;
	const char *pids, *tids, *user, *freq, *pages;
	u64 period;
	bool defer_given, defer_callchain; /* --defer; --call-graph fp,defer */
	enum defer_mode defer;
	u64 stack_size;
	u64 leaf_size;                     /* of --leaf-copy */
	bool leaf_given, no_leaf;
	bool stitch, stitch_rest;
	bool all_user, all_kernel, user_chains, kernel_chains, dry_run;
	bool group, no_samples, latency, chains_given;
	bool strict_freq, quiet, no_op, agent, user_clock;
	char agent_path[PATH_MAX];
	u32 no_op_number;
	int verbose;
	struct push_rounds push;           /* --push; .url is NULL: not */
	struct control commands; /* --control, while it records */
	u32 unknown_commands;    /* that came over it */
	struct recorder_result result;
	struct error err;        /* why it ended, with what run() returns */
};

/* Reports a mistake of the user without the usage, and exits with 129. */
_Noreturn void record__die(const struct error *err);

/*
 * Ends with the usage when --activity, if given, does not go together with the other options.
 * @options, @usage: of the command
 */
void record__check_activity(struct record_cmd *r, const struct option *options,
			    const char *const usage[]);

/*
 * Likewise of --agent, and sets what follows from it.
 * @options, @usage: of the command
 * Returns: 0; the exit status, after a message.
 */
int record__set_agent(struct record_cmd *r, const struct option *options,
		      const char *const usage[]);

/* Print what came of --activity and --agent, to stderr. */
void record__say_activity(const struct recorder_result *res);
void record__say_agent(const struct recorder_opts *opts, const struct recorder_result *res);

/*
 * Callbacks of struct option.
 * @opt: .value is the struct record_cmd, except for: the event list for event, filter, cgroups and
 *         exclude_perf; recorder_opts for delay; sampling for clock; u64 for branches, bytes, flush
 *         and regs; u32 for synth; enum affinity_mode for affinity; struct switch_output for
 *         switch; struct off_cpu_plan for off_cpu
 * @arg: the value that the user gave, or the default; NULL: none
 * @unset: the option was given as --no-...
 * Returns: 0; negative after a message.
 */
int record__parse_filter(const struct option *opt, const char *arg, bool unset);
int record__parse_cgroups(const struct option *opt, const char *arg, bool unset);
int record__exclude_perf(const struct option *opt, const char *arg, bool unset);
int record__parse_delay(const struct option *opt, const char *arg, bool unset);
int record__parse_clock(const struct option *opt, const char *arg, bool unset);
int record__parse_switch(const struct option *opt, const char *arg, bool unset);
int record__parse_branches(const struct option *opt, const char *arg, bool unset);
int record__parse_regs(const struct option *opt, const char *arg, bool unset);
int record__parse_synth(const struct option *opt, const char *arg, bool unset);
int record__parse_flush(const struct option *opt, const char *arg, bool unset);
int record__parse_affinity(const struct option *opt, const char *arg, bool unset);
int record__parse_bytes(const struct option *opt, const char *arg, bool unset);
int record__parse_share(const struct option *opt, const char *arg, bool unset);
int record__parse_event(const struct option *opt, const char *arg, bool unset);
int record__parse_stack_size_option(const struct option *opt, const char *arg, bool unset);
int record__parse_leaf(const struct option *opt, const char *arg, bool unset);
int record__parse_graph(const struct option *opt, const char *arg, bool unset);
int record__parse_activity(const struct option *opt, const char *arg, bool unset);
int record__parse_off_cpu(const struct option *opt, const char *arg, bool unset);
int record__parse_g(const struct option *opt, const char *arg, bool unset);
int record__parse_defer(const struct option *opt, const char *arg, bool unset);

#endif
