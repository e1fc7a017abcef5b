// SPDX-License-Identifier: GPL-2.0-only
#include "command.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "../base/log.h"
#include "../cli/account-print.h"
#include "../cli/debug-servers.h"
#include "../cli/input.h"
#include "../cli/pager.h"
#include "../cli/progress.h"
#include "../cli/reader-confine.h"
#include "../cli/reader-privileges.h"
#include "stitch-text.h"

struct stitch_command {
	const struct stitch_command_opts *cmd;
	struct stitch_opts opts; /* of .cmd, with what the run adds */
	struct sample_filter filter;
	struct stitch_details details;
	struct sink details_sink;
};

static bool is_wanted(void *ctx, const struct whole_sample *ws)
{
	const struct stitch_command *c = ctx;

	return filter__in_scope(&c->filter, ws->s) && filter__wants_stack(&c->filter, ws) &&
	       filter__passes(&c->filter, ws->thread, NULL);
}

static void begin_details(void *ctx, struct machine *machine, struct symbols *symbols)
{
	struct stitch_command *c = ctx;

	unwind_stats__begin(&c->details.binaries, machine, symbols);
}

static int note_details(void *ctx, const struct whole_sample *ws)
{
	struct stitch_command *c = ctx;

	if (!is_wanted(c, ws))
		return 0;
	thread_stats__sample(&c->details.threads, ws);
	unwind_stats__sample(&c->details.binaries, ws);
	return 0;
}

static int make_filter(struct stitch_command *c, const struct recording *rec, struct error *err)
{
	const struct filter_args *only = &c->cmd->only;

	if (only->comms || only->pids || only->tids || only->cpus || only->time ||
	    only->whole_only || only->cut_only || only->activities) {
		c->opts.wanted = is_wanted;
		c->opts.wanted_ctx = c;
	}
	return filter__make(&c->filter, only, rec, err);
}

/* Both forms go to stdout, unless the recording is written there. */
static void show_figures(struct stitch_command *c, const struct stitch_result *res,
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
	if (c->cmd->json)
		textbuf__stitch_json(&out, res, rec, details);
	else if (c->cmd->stats)
		textbuf__stitch_table(&out, res, rec, details);
	textbuf__flush(&out);
	textbuf__free(&out);
}

static void say_result(const struct stitch_command *c, const struct stitch_result *res)
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

static int run(struct stitch_command *c, struct reader *r, struct error *err)
{
	const struct recording *rec = reader__recording(r);
	struct stitch_result res = {};
	struct progress progress;
	bool damaged;
	int ret = make_filter(c, rec, err);

	if (ret)
		return ret;
	if (c->cmd->details && (c->cmd->stats || c->cmd->json)) {
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

static int choose_output(struct stitch_command *c, struct error *err)
{
	if (c->opts.dry_run)
		return 0;
	if (!c->opts.output)
		c->opts.output = stitch__default_output(c->cmd->input, err);
	if (!c->opts.output)
		return err->code;
	if (!strcmp(c->opts.output, "-") && isatty(STDOUT_FILENO))
		return error__set(err, -EINVAL, "not writing binary data to the terminal: send it "
				  "to a pipe, or name a file with -o");
	return 0;
}

static void prepare_reading(struct stitch_command *c)
{
	const struct filter_args *only = &c->cmd->only;

	/*
	 * ^C also goes to the recorder at the other end of the pipe, whose last records are wanted.
	 */
	if (!strcmp(c->cmd->input, "-"))
		signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN); /* write() then returns an error, which is reported */
	reader__drop_privileges(c->opts.output);
	reader__confine(&(struct reader_names){
		.input = c->cmd->input, .output = c->opts.dry_run ? NULL : c->opts.output,
		.more = { only->comms, only->dsos, only->syms },
	}, &c->opts.symbols);
}

int stitch_command__run(const struct stitch_command_opts *cmd)
{
	struct stitch_command c = { .cmd = cmd, .opts = cmd->stitch };
	bool in_place = !c.opts.output && !c.opts.dry_run;
	struct input input = { .fd = -1 };
	struct debug_servers servers;
	struct error err = {};
	int ret = choose_output(&c, &err);

	debug_servers__use(&servers, &c.opts.symbols.binary);
	prepare_reading(&c);
	if (!ret)
		ret = input__open(&input, cmd->input, cmd->force, INPUT_LIVE,
				  &c.opts.symbols.binary, &err);
	if (!ret && input.bundle && in_place)
		ret = error__set(&err, -EINVAL, "'%s' is a bundle: only its recording can be "
						"stitched: name an output file with "
						"-o", cmd->input);
	if (!ret)
		ret = run(&c, input.reader, &err);
	input__close(&input);
	filter__free(&c.filter);
	thread_stats__free(&c.details.threads);
	unwind_stats__free(&c.details.binaries);
	if (err.code)
		pr_err("%s\n", err.text);
	return ret ? 1 : 0;
}
