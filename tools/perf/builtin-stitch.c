// SPDX-License-Identifier: GPL-2.0-only
/* perf stitch: makes the callchains of a recording whole. */
#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/option-forms.h"
#include "util/cli/options.h"
#include "util/cli/shared-options.h"
#include "util/stitch/command.h"

#define MAX_JOBS 256

static const char *const stitch_usage[] = { "perf stitch [<options>]", NULL };

/* @max_pending, @jobs: as given; NULL: not */
static void set_numbers(struct stitch_opts *o, const char *max_pending, const char *jobs,
			const struct option *options)
{
	u64 nr = 0;

	if (max_pending && (!parse_size(max_pending, &o->max_pending) || !o->max_pending))
		usage__die(options, stitch_usage, "--max-pending '%s' is not a size", max_pending);
	if (jobs && (!parse_u64(jobs, &nr) || nr < 1 || nr > MAX_JOBS))
		usage__die(options, stitch_usage, "-j '%s' is not a number of threads (1 to %d)",
			   jobs, MAX_JOBS);
	o->jobs = nr;
}

enum form { REPLACED = 1, WRITTEN = 2, DRY = 4 };

static const struct option_effect effects[] = {
	{ "output", WRITTEN }, { "no-old", REPLACED },
	{ "compression-level", REPLACED | WRITTEN }, { "keep-copies", REPLACED | WRITTEN },
};

static const struct option_forms forms = {
	.command = "stitch", .effects = effects, .nr_effects = ARRAY_SIZE(effects),
	.others = REPLACED | WRITTEN | DRY,
};

int cmd_stitch(int argc, const char **argv)
{
	struct stitch_command_opts cmd = {};
	struct stitch_opts *o = &cmd.stitch;
	const char *max_pending = NULL, *jobs = NULL;
	bool quiet = false;
	int verbose = 0;
	const struct option options[] = {
		OPT_STRING('i', "input", &cmd.input, "file", "read this recording (- is stdin)"),
		OPT_STRING('o', "output", &o->output, "file",
			   "write to this file (- is stdout); by default the input is replaced and "
			   "kept as FILE.old"),
		OPT_BOOL(0, "no-old", &o->no_old,
			 "do not keep a replaced recording as FILE.old"),
		OPT_COMP_LEVEL(&o->comp_level, "compress the output with zstd"),
		OPT_STRING('j', "jobs", &jobs, "n",
			   "unwind stack copies with this many threads (1)"),
		OPT_BOOL(0, "keep-copies", &o->keep_copies,
			 "leave stack copies and registers in the samples"),
		OPT_BOOL(0, "drop-incomplete", &o->drop_incomplete,
			 "leave out samples whose user stack is not whole"),
		OPT_UNWIND_SOURCES(o->unwind),
		OPT_STRING(0, "max-pending", &max_pending, "size",
			   "from pipe to pipe: memory for samples whose deferred callchain has not "
			   "arrived (64M)"),
		OPT_SAMPLE_FILTER(cmd.only),
		OPT_SYMFS(o->symbols.binary),
		OPT_NO_UNWIND_CACHE(o->symbols.binary),
		OPT_BOOL(0, "stats", &cmd.stats,
			 "print how many user stacks were joined, how many are missing, and why"),
		OPT_BOOL(0, "json", &cmd.json, "print the figures of --stats as JSON"),
		OPT_BOOL('n', "dry-run", &o->dry_run, "write no recording"),
		OPT_BOOL('f', "force", &cmd.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &verbose, "print more messages"),
		OPT_BOOL('q', "quiet", &quiet, "print errors only"),
		OPT_END(),
	};

	bool given[ARRAY_SIZE(options)] = {};

	argc = options__parse_given(argc, argv, options, stitch_usage, 0, given);
	if (argc)
		usage__die(options, stitch_usage, "unexpected argument '%s': name files with -i "
			   "and -o", argv[0]);
	option_forms__check(&forms, o->dry_run ? DRY : o->output ? WRITTEN : REPLACED,
			    o->dry_run ? "--dry-run" : o->output ? "--output" :
			    "a run without --output", options, stitch_usage, given);
	log__set_level(quiet ? LOG_QUIET : verbose);
	cmd.input = cmd.input ?: "perf.data";
	cmd.details = verbose > 0;
	set_numbers(o, max_pending, jobs, options);
	return stitch_command__run(&cmd);
}
