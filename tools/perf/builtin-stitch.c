// SPDX-License-Identifier: GPL-2.0-only
/* perf stitch: makes the callchains of a recording whole. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/account-print.h"
#include "util/cli/comp-level.h"
#include "util/cli/debug-servers.h"
#include "util/cli/input.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/progress.h"
#include "util/cli/reader-privileges.h"
#include "util/text/stitch-text.h"
#include "util/stack/filter.h"

#define MAX_JOBS 256

struct stitch_cmd {
	const char *input, *max_pending, *jobs;
	struct filter_args only;
	bool force, stats, json, quiet;
	int verbose;
	struct stitch_opts opts;
	struct debug_servers servers;
	struct sample_filter filter;
	struct stitch_details details;
	struct sink details_sink;
};

static const char *const stitch_usage[] = { "perf stitch [<options>]", NULL };

static bool is_wanted(void *ctx, const struct whole_sample *ws)
{
	const struct stitch_cmd *c = ctx;

	return filter__in_scope(&c->filter, ws->s) && filter__wants_stack(&c->filter, ws) &&
	       filter__passes(&c->filter, ws->thread, NULL);
}

static void begin_details(void *ctx, struct machine *machine, struct symbols *symbols)
{
	struct stitch_cmd *c = ctx;

	unwind_stats__begin(&c->details.binaries, machine, symbols);
}

static int note_details(void *ctx, const struct whole_sample *ws)
{
	struct stitch_cmd *c = ctx;

	if (!is_wanted(c, ws))
		return 0;
	thread_stats__sample(&c->details.threads, ws);
	unwind_stats__sample(&c->details.binaries, ws);
	return 0;
}

static int make_filter(struct stitch_cmd *c, const struct recording *rec, struct error *err)
{
	const struct filter_args *only = &c->only;

	if (only->comms || only->pids || only->tids || only->cpus || only->time ||
	    only->whole_only || only->cut_only || only->activities) {
		c->opts.wanted = is_wanted;
		c->opts.wanted_ctx = c;
	}
	return filter__make(&c->filter, only, rec, err);
}

/* Both forms go to stdout, unless the recording is written there. */
static void show_figures(struct stitch_cmd *c, const struct stitch_result *res,
			 const struct recording *rec)
{
	const struct stitch_details *details = c->opts.also ? &c->details : NULL;
	bool taken = !c->opts.dry_run && !strcmp(c->opts.output, "-");
	struct textbuf out;

	thread_stats__sort(&c->details.threads);
	if (taken)
		textbuf__init(&out, STDERR_FILENO);
	else
		pager__textbuf(&out);
	if (c->json)
		textbuf__stitch_json(&out, res, rec, details);
	else if (c->stats)
		textbuf__stitch_table(&out, res, rec, details);
	textbuf__flush(&out);
	textbuf__free(&out);
}

static void say_result(const struct stitch_cmd *c, const struct stitch_result *res)
{
	char line[ACCOUNT_LINE_MAX];

	pipeline_account__line(&res->total, line, sizeof(line));
	pr_info("[ perf stitch: %s ]\n", line);
	if (!c->opts.dry_run && res->bytes_out)
		pr_info("[ perf stitch: %.3f MB became %.3f MB: %s%s%s ]\n",
			res->bytes_in / 1024.0 / 1024.0, res->bytes_out / 1024.0 / 1024.0,
			c->opts.output, res->old ? "; the original is " : "", res->old ?: "");
	if (res->misfits)
		pr_warn("%llu samples do not fit into a record and were left out\n",
			(unsigned long long)res->misfits);
}

static int run(struct stitch_cmd *c, struct reader *r, struct error *err)
{
	const struct recording *rec = reader__recording(r);
	struct stitch_result res = {};
	struct progress progress;
	bool damaged;
	int ret = make_filter(c, rec, err);

	if (ret)
		return ret;
	if (c->verbose > 0 && (c->stats || c->json)) {
		c->details_sink = (struct sink){
			.begin = begin_details, .sample = note_details, .ctx = c,
		};
		c->opts.also = &c->details_sink;
	}
	progress__start(&progress, "Stitching");
	c->opts.progress = progress__update;
	c->opts.progress_ctx = &progress;
	ret = stitch__run(r, &c->opts, &res, err);
	progress__finish(&progress);
	if (res.pipeline)
		account__print_missing(pipeline__symbols(res.pipeline));
	damaged = account__describe(r, &res.total, account__print);
	if (!ret || ret == -EBADMSG) {
		show_figures(c, &res, rec);
		say_result(c, &res);
	}
	stitch_result__free(&res);
	return ret ? ret : damaged ? -EBADMSG : 0;
}

static int stitch_cmd__run(struct stitch_cmd *c)
{
	struct error err = {};
	bool in_place = !c->opts.output && !c->opts.dry_run;
	struct input input = { .fd = -1 };
	int ret = 0;

	if (!c->opts.output && !c->opts.dry_run)
		c->opts.output = stitch__default_output(c->input, &err);
	if (!c->opts.output && !c->opts.dry_run)
		ret = err.code;
	else if (!c->opts.dry_run && !strcmp(c->opts.output, "-") && isatty(STDOUT_FILENO))
		ret = error__set(&err, -EINVAL, "not writing binary data to the terminal: send it "
				 "to a pipe, or name a file with -o");
	/*
	 * ^C also goes to the recorder at the other end of the pipe, whose last records are wanted.
	 */
	if (!strcmp(c->input, "-"))
		signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN); /* write() then returns an error, which is reported */
	debug_servers__use(&c->servers, &c->opts.symbols.binary);
	reader__drop_privileges(c->opts.output);
	if (!ret)
		ret = input__open(&input, c->input, c->force, INPUT_LIVE, &c->opts.symbols.binary,
				  &err);
	if (!ret && input.bundle && in_place)
		ret = error__set(&err, -EINVAL, "'%s' is a bundle, of which only the recording is "
				 "stitched: name an output file with -o", c->input);
	if (!ret)
		ret = run(c, input.reader, &err);
	input__close(&input);
	filter__free(&c->filter);
	thread_stats__free(&c->details.threads);
	unwind_stats__free(&c->details.binaries);
	if (err.code)
		pr_err("%s\n", err.text);
	return ret ? 1 : 0;
}

static void set_numbers(struct stitch_cmd *c, const struct option *options)
{
	u64 jobs;

	if (c->max_pending && (!parse_size(c->max_pending, &c->opts.max_pending) ||
			       !c->opts.max_pending))
		usage__die(options, stitch_usage, "--max-pending '%s' is not a size",
			   c->max_pending);
	if (c->jobs) {
		if (!parse_u64(c->jobs, &jobs) || jobs < 1 || jobs > MAX_JOBS)
			usage__die(options, stitch_usage,
				   "-j '%s' is not a number of threads (1 to %d)", c->jobs,
				   MAX_JOBS);
		c->opts.jobs = jobs;
	}
}

int cmd_stitch(int argc, const char **argv)
{
	struct stitch_cmd c = {};
	const struct option options[] = {
		OPT_STRING('i', "input", &c.input, "file", "read this recording (- is stdin)"),
		OPT_STRING('o', "output", &c.opts.output, "file",
			   "write to this file (- is stdout); by default the input is replaced and "
			   "kept as FILE.old"),
		OPT_BOOL(0, "no-old", &c.opts.no_old,
			 "do not keep a replaced recording as FILE.old"),
		OPT_COMP_LEVEL(&c.opts.comp_level, "compress the output with zstd"),
		OPT_STRING('j', "jobs", &c.jobs, "n",
			   "unwind stack copies with this many threads (1)"),
		OPT_BOOL(0, "keep-copies", &c.opts.keep_copies,
			 "leave stack copies and registers in the samples"),
		OPT_BOOL(0, "drop-incomplete", &c.opts.drop_incomplete,
			 "leave out samples whose user stack is not whole"),
		OPT_UNWIND_SOURCES(c.opts.unwind),
		OPT_STRING(0, "max-pending", &c.max_pending, "size",
			   "from pipe to pipe: memory for samples that wait for their deferred "
			   "callchain (64M)"),
		OPT_SAMPLE_FILTER(c.only),
		OPT_SYMFS(c.opts.symbols.binary),
		OPT_NO_UNWIND_CACHE(c.opts.symbols.binary),
		OPT_BOOL(0, "stats", &c.stats,
			 "print how many user stacks were joined, how many are missing, and why"),
		OPT_BOOL(0, "json", &c.json, "print the figures of --stats as JSON"),
		OPT_BOOL('n', "dry-run", &c.opts.dry_run, "write no recording"),
		OPT_BOOL('f', "force", &c.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &c.verbose, "print more messages"),
		OPT_BOOL('q', "quiet", &c.quiet, "print errors only"),
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, stitch_usage, 0);
	if (argc)
		usage__die(options, stitch_usage, "unexpected argument '%s': name files with -i "
			   "and -o", argv[0]);
	log__set_level(c.quiet ? LOG_QUIET : c.verbose);
	c.input = c.input ?: "perf.data";
	set_numbers(&c, options);
	return stitch_cmd__run(&c);
}
