/* SPDX-License-Identifier: GPL-2.0-only */
/* perf record: what the user wants, and the run that does it. The options are in options.h. */
#ifndef PERF_RECORD_COMMAND_COMMAND_H
#define PERF_RECORD_COMMAND_COMMAND_H

#include <limits.h>

#include "../cli/options.h"
#include "../record/defer-choice.h"
#include "../record/recorder.h"

/* As given, and what record_opts__finish() makes of it: .rec. A run changes nothing of it. */
struct record_opts {
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
	const char *push_url;              /* --push; NULL: not */
};

/*
 * Completes what options have said. Mistakes of the user end the command, with the usage.
 * @argc, @argv: arguments that are no options: the command to run
 * @options, @usage: of the command
 * Returns: 0; the exit status, after a message.
 */
int record_opts__finish(struct record_opts *r, int argc, const char **argv,
			const struct option *options, const char *const usage[]);

/* Reports a mistake of the user without the usage, and exits with 129. */
_Noreturn void record__die(const struct error *err);

/* Records, and says what came of it. Messages are printed. Returns: the exit status. */
int record_command__run(const struct record_opts *opts);

/* Says on stderr what came of it: with -q nothing but warnings. */
void record_command__say(const struct record_opts *opts, const struct recorder_result *res);

/*
 * Ends with the usage when --activity, if given, does not go together with the other options.
 * @options, @usage: of the command
 */
void record__check_activity(struct record_opts *r, const struct option *options,
			    const char *const usage[]);

/*
 * The same for --agent, and sets what follows from it.
 * @options, @usage: of the command
 * Returns: 0; the exit status, after a message.
 */
int record__set_agent(struct record_opts *r, const struct option *options,
		      const char *const usage[]);

#endif
