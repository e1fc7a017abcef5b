// SPDX-License-Identifier: GPL-2.0-only
#include "convert.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../base/log.h"
#include "../cli/account-print.h"
#include "../cli/input.h"
#include "../cli/progress.h"
#include "../cli/reader-confine.h"
#include "../cli/reader-privileges.h"
#include "../off-cpu/wait.h"
#include "../pipeline/pipeline.h"
#include "clean-name.h"
#include "output.h"
#include "wall-clock.h"

struct run {
	const struct convert_opts *opts;
	struct symbols_opts symbols; /* with what comes from the input */
	struct sample_filter filter;
	struct export export;
	struct textbuf *out;
	struct pipeline *pipeline;
	u64 nr_left_out;
	struct export_result result;
};

static bool is_wanted(struct run *r, const struct whole_sample *ws)
{
	struct location loc, *leaf = NULL;

	/* A page has all, and shows them first. */
	if (r->opts->opts.view == EXPORT_OFF_CPU && strcmp(r->opts->format->name, "html") &&
	    !evsel__is_off_cpu(ws->rec->event))
		return false;
	if (!filter__in_scope(&r->filter, ws->s) || !filter__wants_stack(&r->filter, ws))
		return false;
	if (filter__wants_location(&r->filter)) {
		resolver__address(r->export.resolver, ws->thread, ws->s->cpumode, ws->s->ip, false,
				  &loc);
		leaf = &loc;
	}
	return filter__passes(&r->filter, ws->thread, leaf) &&
	       filter__is_on(&r->filter, ws->rec->event);
}

static int take_sample(void *ctx, const struct whole_sample *ws)
{
	struct run *r = ctx;

	if (is_wanted(r, ws))
		return export__sample(&r->export, ws);
	r->nr_left_out++;
	return 0;
}

static void take_soon(void *ctx, const struct thread *t, const u64 *chain, u64 nr)
{
	struct run *r = ctx;

	export__soon(&r->export, t, chain, nr);
}

static int take_record(void *ctx, const struct record *rec)
{
	struct run *r = ctx;

	export__record(&r->export, rec);
	return 0;
}

static void add_words(void *ctx, enum account_severity severity __unused_arg, const char *text)
{
	textbuf__puts(ctx, "\n");
	textbuf__puts(ctx, text);
}

/* What a reader of the file should know: how many stacks are whole, what is missing. */
static void write_end(struct run *r, const struct reader *reader)
{
	const struct pipeline_account *a = pipeline__account(r->pipeline);
	char line[ACCOUNT_LINE_MAX];
	struct textbuf words;

	textbuf__init(&words, -1);
	pipeline_account__line(a, line, sizeof(line));
	textbuf__puts(&words, line);
	if (r->nr_left_out)
		textbuf__printf(&words, "\n%llu of these samples were left out by options",
				(unsigned long long)r->nr_left_out);
	account__tell(reader, a, add_words, &words);
	export__end(&r->export, name__clean_lines(r->export.table.arena, textbuf__str(&words)));
	textbuf__free(&words);
}

static int run_pipeline(struct run *r, struct reader *reader, struct error *err)
{
	const struct convert_opts *c = r->opts;
	struct export_opts export = c->opts;
	struct recording *rec = reader__recording(reader);
	struct progress progress;
	struct pipeline_opts opts = {
		.unwind = c->unwind, .symbols = r->symbols,
		.sink = {
			.sample = take_sample, .record = take_record, .soon = take_soon,
			.ctx = r, .split_reads = true,
		},
		.progress = progress__update, .progress_ctx = &progress,
	};
	int ret;

	if (c->opts.view != EXPORT_EVENTS && recording__off_cpu_event(rec) == NO_ID)
		return error__set(err, -ENODATA, "%s was not recorded with --off-cpu",
				  c->input ?: "perf.data");
	ret = pipeline__new(&r->pipeline, rec, &opts, err);
	if (ret)
		return ret;
	export.reader = reader;
	export__begin(&r->export, c->format, &export, pipeline__symbols(r->pipeline), rec,
		      r->out);
	progress__start(&progress, "Converting");
	ret = pipeline__run(r->pipeline, reader, err);
	if (!ret)
		write_end(r, reader);
	progress__finish(&progress);
	return ret;
}

/* Returns -EBADMSG after a damaged recording, of which what can be read was written. */
static int tell(struct run *r, struct reader *reader)
{
	account__print_symbols(pipeline__symbols(r->pipeline));
	account__print_jit(jit_dumps__account(pipeline__jit(r->pipeline)));
	if (account__describe(reader, pipeline__account(r->pipeline), account__print))
		return -EBADMSG;
	return 0;
}

static void take_result(struct run *r)
{
	const struct export *x = &r->export;

	r->result = (struct export_result){
		.samples = x->nr_samples,
		.from = export__wall_clock(x, x->first_time),
		.until = export__wall_clock(x, x->last_time),
	};
	snprintf(r->result.host, sizeof(r->result.host), "%s", x->recording->hostname ?: "");
}

static int write_samples(struct run *r, struct reader *reader, struct error *err)
{
	int ret = filter__make(&r->filter, &r->opts->only, reader__recording(reader), err);

	return ret ?: run_pipeline(r, reader, err);
}

static int write_file(struct run *r, struct reader *reader, struct error *err)
{
	const struct convert_opts *c = r->opts;
	struct export_output out;
	bool written;
	int ret = export_output__open(&out, c->output, err);

	r->out = &out.tb;
	if (!ret)
		ret = write_samples(r, reader, err);
	if (!ret || out.tb.error) /* why it ended */
		ret = export_output__commit(&out, err);
	written = !ret;
	if (written) {
		take_result(r);
		ret = tell(r, reader);
	}
	if (written && !c->is_step)
		pr_info("[ %s: %llu samples as %s: %.3f MB in %s ]\n", c->command,
			(unsigned long long)r->export.nr_samples, c->format->name,
			out.size / 1024.0 / 1024.0, c->output);
	export_output__close(&out);
	return ret;
}

static void free_run(struct run *r)
{
	export__free(&r->export);
	pipeline__free(r->pipeline);
	filter__free(&r->filter);
}

int convert__write(const struct convert_opts *o, struct textbuf *out, struct error *err)
{
	struct run r = { .opts = o, .symbols = o->symbols, .out = out };
	struct input input = { .fd = -1 };
	int ret = input__open(&input, o->input, o->force, INPUT_FILE, &r.symbols.binary, err);

	if (!ret)
		ret = write_samples(&r, input.reader, err);
	if (!ret)
		ret = tell(&r, input.reader);
	free_run(&r);
	input__close(&input);
	return ret;
}

int convert__run(const struct convert_opts *o, struct export_result *result)
{
	struct run r = { .opts = o, .symbols = o->symbols };
	struct error err = {};
	struct input input = { .fd = -1 };
	int ret = 0;

	signal(SIGPIPE, SIG_IGN); /* write() then returns an error, which is reported */
	reader__drop_privileges(o->output);
	reader__confine(&(struct reader_names){
		.input = o->input, .output = o->output,
		.more = { o->only.comms, o->only.dsos, o->only.syms },
	}, &o->symbols);
	ret = input__open(&input, o->input, o->force, INPUT_FILE, &r.symbols.binary, &err);
	if (!ret)
		ret = write_file(&r, input.reader, &err);
	if (result)
		*result = r.result;
	free_run(&r);
	input__close(&input);
	if (err.code)
		pr_err("%s\n", err.text);
	return ret ? 1 : 0;
}
