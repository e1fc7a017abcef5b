// SPDX-License-Identifier: GPL-2.0-only
#include "script.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/log.h"
#include "../cli/account-print.h"
#include "../cli/debug-servers.h"
#include "../cli/input.h"
#include "../cli/pager.h"
#include "../cli/reader-confine.h"
#include "../cli/reader-privileges.h"
#include "../text/dump.h"
#include "../text/header-text.h"
#include "named-run.h"
#include "sample-json.h"
#include "start.h"
#include "view.h"

struct script {
	const struct script_opts *opts;
	struct symbols_opts symbols; /* of .opts, with debug servers and a bundle */
	struct debug_servers servers;
	struct script_run run;
	struct sample_filter filter;
	struct name_list stops;
	struct script_view view;
	struct pipeline *pipeline;
	bool live;
	int status; /* that the script asks for */
};

static int take_sample(void *ctx, const struct whole_sample *ws)
{
	struct script *s = ctx;
	struct location loc, *leaf = NULL;

	if (!filter__in_scope(&s->filter, ws->s) || !filter__wants_stack(&s->filter, ws))
		return 0;
	if (filter__wants_location(&s->filter)) {
		resolver__address(s->view.lines.resolver, ws->thread, ws->s->cpumode, ws->s->ip,
				  false, &loc);
		leaf = &loc;
	}
	if (!filter__passes(&s->filter, ws->thread, leaf) ||
	    !filter__is_on(&s->filter, ws->rec->event))
		return 0;
	if (s->run.engine)
		return script_engine__sample(s->run.engine, ws);
	return script_view__sample(&s->view, ws, leaf);
}

static void take_soon(void *ctx, const struct thread *t, const u64 *chain, u64 nr)
{
	struct script *s = ctx;

	if (s->view.lines.chains)
		resolver__soon(s->view.lines.resolver, t, chain, nr);
}

static int take_record(void *ctx, const struct record *rec)
{
	struct script *s = ctx;
	struct machine *machine = pipeline__machine(s->pipeline);

	script_view__note(&s->view, rec);
	if (s->run.engine)
		return script_engine__record(s->run.engine, rec);
	if (s->live && rec->hdr->type == USER_RECORD_FINISHED_ROUND)
		textbuf__flush(&s->view.out);
	if (rec->hdr->type == ABI_RECORD_CALLCHAIN_DEFERRED && !s->opts->merge) {
		const struct thread *t = machine__thread(machine, rec->pid, rec->tid);

		if (time_ranges__hold(&s->filter.times, rec->time) &&
		    filter__passes(&s->filter, t, NULL))
			script_view__deferred(&s->view, rec, t);
	} else {
		script_view__record(&s->view, rec, machine);
	}
	return s->view.out.error;
}

static int run_to_end(struct script *s, struct reader *r, struct error *err)
{
	const struct script_lines *l = &s->view.lines;
	bool ended; /* by the script, or by --head */
	int ret;

	if (s->run.engine)
		script_engine__source(s->run.engine, &(struct script_source){
			.recording = l->recording, .machine = pipeline__machine(s->pipeline),
			.symbols = l->symbols, .resolver = l->resolver, .traces = l->traces,
		});
	else
		script_view__begin(&s->view);
	ret = pipeline__run(s->pipeline, r, err);
	ended = script_view__is_enough(&s->view);
	if (!s->run.engine && (!ret || ended))
		script_view__end(&s->view, !account__damaged(reader__account(r)));
	if (s->run.engine) {
		ended = script_engine__ended(s->run.engine);
		s->status = script_run__finish(&s->run);
	}
	if (ended)
		memset(err, 0, sizeof(*err)); /* that the rest was not read is no news */
	if (textbuf__flush(&s->view.out) || ended)
		return 0;
	if (!ret) {
		account__print_symbols(l->symbols);
		account__print_jit(jit_dumps__account(pipeline__jit(s->pipeline)));
		account__print_tracepoints(l->traces);
		if (account__describe(r, pipeline__account(s->pipeline), account__print))
			ret = -EBADMSG;
	}
	return ret;
}

static int check_script(void *ctx, u64 done __unused_arg, u64 total __unused_arg)
{
	struct script *s = ctx;

	return s->run.engine ? script_engine__check(s->run.engine) : 0;
}

static int run_pipeline(struct script *s, struct reader *r, struct error *err)
{
	struct pipeline_opts opts = {
		.keep_deferred = !s->opts->merge,
		.unwind = s->opts->unwind,
		.symbols = s->symbols,
		.sink = {
			.sample = take_sample, .record = take_record, .soon = take_soon,
			.ctx = s, .split_reads = true,
		},
		.progress = check_script, .progress_ctx = s,
	};
	struct recording *rec = reader__recording(r);
	int ret;

	s->live = reader__is_stream(r);
	ret = script_view__init(&s->view, s->opts, rec, &s->stops, err);
	if (!ret)
		ret = pipeline__new(&s->pipeline, rec, &opts, err);
	if (ret)
		return ret;
	script_view__use(&s->view, s->pipeline);
	ret = run_to_end(s, r, err);
	ret = script_view__free(&s->view, err) ?: ret;
	pipeline__free(s->pipeline);
	return s->view.out.error ? 0 : ret;
}

static int read_recording(struct script *s, struct reader *r, struct error *err)
{
	const struct script_opts *o = s->opts;
	struct textbuf *out = &s->view.out;
	int ret = filter__make(&s->filter, &o->only, reader__recording(r), err);

	if (!ret && o->stop_at)
		ret = name_list__add(&s->stops, o->stop_at, err);
	if (ret)
		return ret;
	if (o->generate)
		return script_run__generate(reader__recording(r), o->generate, err);
	if (o->json && o->header_only)
		script_json__header(out, reader__recording(r));
	else if (!o->json && (o->header || o->header_only))
		textbuf__header(out, r);
	if (o->header_only)
		return 0;
	if (o->dump) {
		textbuf__dump(out, r);
		return !out->error && account__describe(r, NULL, account__print) ? -EBADMSG : 0;
	}
	return run_pipeline(s, r, err);
}

static bool asks_for_srclines(const struct script_fields *f)
{
	u64 asked = 0;

	for (int i = 0; i < SCRIPT_TYPE_NR; i++)
		asked |= f->type[i].asked;
	return asked & FIELD_SRCLINE;
}

/* If not, whoever opens it will say so, and no script need be started. */
static bool is_there(const char *input)
{
	return !input || !strcmp(input, "-") || !access(input, R_OK);
}

/* Before anything of the recording is read, unless there is nothing to read. */
static void start_script(struct script *s)
{
	const struct script_opts *o = s->opts;
	struct engine_opts opts = {
		.no_chains = o->no_chains,
		.srclines = asks_for_srclines(&o->fields),
		.max_stack = o->max_stack,
	};
	struct error err = {};

	reader__drop_privileges_of_file();
	if (!is_there(o->input) || !script_run__start(&s->run, o->script, o->args, &opts, &err))
		return;
	pr_err("%s\n", err.text);
	exit(1);
}

/* As a broker_makes_fn. */
static bool makes(const void *ctx, const char *path)
{
	const struct script_opts *o = ctx;
	const char *made = o->generate ? script_run__generated(o->generate) : NULL;

	return made ? !strcmp(path, made) :
	       o->per_event && event_dumps__is_path(o->input ?: "perf.data", path);
}

/* A script is the user's program, with the user's rights. */
static void prepare_reading(struct script *s)
{
	const struct script_opts *o = s->opts;

	if (!o->script)
		pager__start();
	if (o->script)
		reader__drop_privileges_of_script();
	else
		reader__drop_privileges(o->generate ? "./x" :
					o->per_event ? o->input ?: "./x" : NULL);
	if (!o->script)
		reader__confine(&(struct reader_names){
			.input = o->input, .makes = makes, .makes_ctx = o,
			.more = { o->only.comms, o->only.dsos, o->only.syms, o->stop_at },
		}, &s->symbols);
}

static int read_input(struct script *s, struct error *err)
{
	struct textbuf *out = &s->view.out;
	struct input input;
	/* The lines of a pipe are printed as its samples come. */
	int ret = input__open(&input, s->opts->input, s->opts->force,
			      s->opts->dump ? INPUT_FILE : INPUT_LIVE, &s->symbols.binary, err);

	if (!ret) {
		if (!s->opts->script)
			pager__textbuf(out);
		out->disarm |= s->opts->head > 0;
		ret = read_recording(s, input.reader, err);
		ret = pager__flush(out, ret, err);
		textbuf__free(out);
		filter__free(&s->filter);
		name_list__free(&s->stops);
	}
	input__close(&input);
	return ret;
}

static int run_named(const struct script_opts *o)
{
	struct error err = {};
	int status = script_named__run(o->args, o->input, &err);

	if (status >= 0)
		return status;
	pr_err("%s\n", err.text);
	return err.code == -EINVAL ? 129 : 1;
}

int script__run(const struct script_opts *opts)
{
	struct script s = { .opts = opts, .symbols = opts->symbols };
	struct error err = {};
	int ret;

	if (opts->list)
		return script_named__list();
	if (opts->args[0] && !opts->script)
		return run_named(opts);
	if (opts->script)
		start_script(&s);
	if (s.run.engine && script_engine__ended(s.run.engine))
		return script_run__finish(&s.run);
	debug_servers__use(&s.servers, &s.symbols.binary);
	prepare_reading(&s);
	ret = read_input(&s, &err);
	if (err.code)
		pr_err("%s\n", err.text);
	script_run__finish(&s.run);
	pager__wait();
	return ret || s.view.out.error ? 1 : s.status;
}
