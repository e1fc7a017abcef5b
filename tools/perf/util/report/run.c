// SPDX-License-Identifier: GPL-2.0-only
/* perf report: the course of a run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../annotate/objdump.h"
#include "../base/log.h"
#include "../base/number.h"
#include "../cli/account-print.h"
#include "../cli/input.h"
#include "../cli/pager.h"
#include "../cli/reader-confine.h"
#include "../cli/reader-privileges.h"
#include "../export/convert.h"
#include "../off-cpu/wait.h"
#include "../text/dump.h"
#include "../text/header-text.h"
#include "brief-text.h"
#include "brief-waits.h"
#include "json.h"
#include "overview.h"
#include "state.h"

static int report__end(void *ctx)
{
	struct report *r = ctx;

	progress__finish(&r->state.progress);
	if (r->view.browser)
		return 0;
	report__put(r);
	if (r->opts->json)
		report_json__end(&r->view.out,
				 !account__damaged(reader__account(r->state.reader)));
	return 0;
}

/* How the samples of @event are counted, or those of the group whose first one it is. */
static struct hist_opts hist_opts_of(const struct report *r, u32 event)
{
	const struct event_group *g = report_groups__of(&r->state.groups, event);
	struct hist_opts opts = r->view.hist;

	opts.nr_events = g && g->first == event ? g->nr : 1;
	opts.sort_event = r->opts->group_sort < opts.nr_events ? r->opts->group_sort : 0;
	/* So that the browser can zoom into threads, and --brief knows them. */
	if (r->view.browser || r->opts->brief) {
		column_list__add(&opts.keys, COLUMN_TID);
		column_list__add(&opts.keys, COLUMN_WHOLE);
	}
	return opts;
}

static void make_hists(struct report *r)
{
	struct report_state *st = &r->state;
	u32 nr = st->recording->events.nr;

	st->hists = xcalloc(nr, sizeof(*st->hists));
	for (u32 i = 0; i < nr; i++) {
		struct hist_opts opts = hist_opts_of(r, i);

		hist__init(&st->hists[i], &opts);
		st->hists[i].stacks.by_address |= r->opts->brief; /* --about is one, too */
		st->hists[i].stacks.show_address = r->view.text.chains.by_address &&
						   !r->opts->about;
		if (r->view.text.chains.by_line && !r->opts->about)
			hist__show_lines(&st->hists[i]);
	}
}

/* Whether the view is of waits, and there are none. Those of Linux perf are samples alone. */
static bool lacks_waits(const struct report *r)
{
	const struct report_opts *o = r->opts;

	if (pipeline__off_cpu(r->state.pipeline) || !(o->time.off_cpu || o->time.wall || o->times))
		return false;
	if (recording__off_cpu_event(r->state.recording) != NO_ID)
		return o->time.wall || o->times || o->wakers;
	return true;
}

static int open_pipeline(struct report *r, struct error *err)
{
	struct report_state *st = &r->state;
	struct pipeline_opts opts = {
		.unwind = r->opts->unwind,
		.symbols = r->symbols,
		.sink = {
			.sample = report__sample, .record = report__record, .end = report__end,
			.ctx = r, .split_reads = true,
		},
		.progress = r->view.browser ? browser__poll : progress__update,
		.progress_ctx = r->view.browser ? (void *)r->view.browser : &st->progress,
	};
	int ret;

	if (r->opts->times)
		opts.times_within = report_time__within(&st->time, &st->filter.times);
	ret = pipeline__new(&st->pipeline, st->recording, &opts, err);
	if (ret || !lacks_waits(r))
		return ret;
	pipeline__free(st->pipeline);
	return error__set(err, -ENODATA, "%s was not recorded with --off-cpu",
			  report__input_name(r));
}

/* What samples are described by, and counted in. */
static void begin_counting(struct report *r)
{
	struct report_state *st = &r->state;

	r->view.hist.symbols = pipeline__symbols(st->pipeline);
	st->resolver = resolver__new(r->view.hist.symbols);
	st->traces = tracepoints__new(st->recording);
	tracepoints__name_functions(st->traces, resolver__traced_function, st->resolver);
	st->arena = arena__new();
	st->keys = (struct sample_keys){
		.keys = &r->view.hist.keys, .quantum = r->opts->quantum, .ns = r->view.text.ns,
		.raw_trace = r->opts->raw_trace, .recording = st->recording,
		.symbols = r->view.hist.symbols, .machine = pipeline__machine(st->pipeline),
		.traces = st->traces, .arena = st->arena,
	};
	st->time.opts = &r->opts->time;
	st->time.machine = pipeline__machine(st->pipeline);
	st->time.keys = &r->view.hist.keys;
	st->time.arena = st->arena;
	report_time__begin(&st->time, pipeline__off_cpu(st->pipeline), st->recording);
	st->groups.shown = r->opts->groups;
	report_groups__read(&st->groups, st->recording, r->opts->groups_given);
	if (r->opts->brief && recording__off_cpu_event(st->recording) != NO_ID)
		brief_waits__keys(&r->view.hist.keys);
	make_hists(r);
	report__begin_samples(r);
}

static void end_counting(struct report *r)
{
	struct report_state *st = &r->state;

	for (size_t i = 0; i < st->recording->events.nr; i++)
		hist__free(&st->hists[i]);
	free(st->hists);
	st->hists = NULL;
	thread_counts__free(&st->threads);
	report_live__forget_old(r);
	code_counts__free(&st->counts);
	report_groups__free(&st->groups);
	sample_keys__free(&st->keys);
	arena__free(st->arena);
	tracepoints__free(st->traces);
	report_time__end(&st->time);
	resolver__free(st->resolver);
}

static void print_all_but_advice(enum account_severity severity, const char *text)
{
	if (severity != ACCOUNT_ADVICE)
		account__print(severity, text);
}

/* What --brief has said is not said again. Returns: 0; -EBADMSG when the recording is damaged. */
static int print_accounts(const struct report *r)
{
	const struct report_state *st = &r->state;
	const struct pipeline_account *a = pipeline__account(st->pipeline);
	bool said = r->opts->brief && !r->opts->about && brief_text__has_advice(a);

	account__print_symbols(pipeline__symbols(st->pipeline));
	account__print_jit(jit_dumps__account(pipeline__jit(st->pipeline)));
	account__print_tracepoints(st->traces);
	return account__describe(st->reader, a, said ? print_all_but_advice : account__print) ?
	       -EBADMSG : 0;
}

static int run_pipeline(struct report *r, struct reader *reader, struct error *err)
{
	struct report_state *st = &r->state;
	int ret = open_pipeline(r, err);

	if (ret)
		return ret;
	begin_counting(r);
	if (!r->view.browser)
		progress__start(&st->progress, "Processing records...");
	ret = pipeline__run(st->pipeline, reader, err);
	progress__finish(&st->progress);
	if (r->view.browser)
		ret = report__browse(r, ret);
	if (!textbuf__flush(&r->view.out) && !ret && !r->view.again && !r->opts->live)
		ret = print_accounts(r);
	end_counting(r);
	pipeline__free(st->pipeline);
	return ret;
}

/* What is told of records, without a look at samples. */
static int put_records(struct report *r, struct reader *reader)
{
	const struct report_opts *o = r->opts;
	struct textbuf *out = &r->view.out;

	if (o->stats)
		textbuf__stats(out, reader);
	else if (o->tasks || o->mmaps)
		textbuf__tasks(out, reader, o->mmaps);
	else
		textbuf__dump(out, reader);
	if (out->error && !o->stats && !o->tasks && !o->mmaps)
		return 0;
	return account__describe(reader, NULL, account__print) ? -EBADMSG : 0;
}

static int run_report(struct report *r, struct reader *reader, struct error *err)
{
	const struct report_opts *o = r->opts;
	int ret;

	r->state.reader = reader;
	r->state.recording = reader__recording(reader);
	ret = report__make_view(r, err);
	if (ret)
		return ret;
	if (o->json && o->header_only)
		report_json__header(&r->view.out, r->state.recording, 0);
	else if (!o->json && (o->header || o->header_only))
		textbuf__header(&r->view.out, reader);
	if (o->header_only)
		return 0;
	if (o->stats || o->tasks || o->mmaps || o->dump)
		return put_records(r, reader);
	return run_pipeline(r, reader, err);
}

static void begin_text(struct report *r)
{
	struct textbuf *out = &r->view.out;

	if (!r->opts->live)
		pager__textbuf(out);
	else
		textbuf__init(out, STDOUT_FILENO);
	out->separators = r->view.text.separator;
}

static int open_input(struct report *r, struct input *input, struct error *err)
{
	if (!r->opts->live)
		return input__open(input, r->opts->input, r->opts->force, INPUT_FILE,
				   &r->symbols.binary, err);
	*input = (struct input){ .fd = -1 };
	return reader__open_live_fd(&input->reader, r->opts->live->fd, "perf record",
				    report_live__idle, r, err);
}

static int show(struct report *r, struct reader *reader, struct error *err)
{
	struct textbuf *out = &r->view.out;
	int ret;

	textbuf__init(&r->view.left_out, -1);
	ret = run_report(r, reader, err);
	ret = pager__flush(out, ret, err);
	textbuf__free(&r->view.left_out);
	report_chain__end(&r->state.chain);
	cpu_set__free(&r->state.time.levels);
	filter__free(&r->state.filter);
	return ret;
}

static int read_input(struct report *r, bool browse, struct error *err)
{
	struct input input;
	int ret;

	r->state = (struct report_state){};
	r->view.text.columns = (struct column_list){};
	r->view.hist = (struct hist_opts){};
	r->view.again = false;
	ret = open_input(r, &input, err);
	if (!ret && !browse)
		begin_text(r);
	else if (!ret)
		textbuf__init(&r->view.out, -1);
	if (!ret)
		ret = show(r, input.reader, err);
	textbuf__free(&r->view.out);
	input__close(&input);
	return ret;
}

/* The browser also shows code, and saves what it shows. */
static void confine(struct report *r, bool browse)
{
	const struct report_opts *o = r->opts;

	reader__confine(&(struct reader_names){
		.input = o->input, .more = { o->only.comms, o->only.dsos, o->only.syms },
		.sources = browse, .makes = browse ? browser__makes : NULL,
		.run = browse ? objdump__start : NULL, .run_ctx = &r->view.code.listing.objdump,
	}, &r->symbols);
}

static int read_recording(struct report *r)
{
	const struct report_opts *o = r->opts;
	bool browse = report_opts__want_browser(o);
	struct error err = {};
	int ret;

	debug_servers__use(&r->servers, &r->symbols.binary);
	if (!browse && !o->live)
		pager__start();
	reader__drop_privileges(NULL);
	/* The description of the terminal is read from a file. */
	ret = browse ? report__open_browser(r, &err) : 0;
	if (!ret)
		confine(r, browse);
	while (!ret) {
		ret = read_input(r, browse, &err);
		if (!r->view.again)
			break;
	}
	browser__free(r->view.browser);
	free(r->view.asked_sort);
	free(r->view.asked_time);
	annotate_args__free(&r->view.code);
	if (err.code)
		pr_err("%s\n", err.text);
	pager__wait();
	return ret || r->view.out.error ? 1 : 0;
}

/* All of the recording as a page or a picture; views are chosen there. */
static int write_picture(struct report *r)
{
	const struct report_opts *o = r->opts;
	struct convert_opts c = {
		.command = "perf report", .input = o->input, .output = o->html ?: o->svg,
		.format = export_format__find(o->html ? "html" : "svg"), .only = o->only,
		.symbols = r->symbols, .unwind = o->unwind, .force = o->force,
		.opts.view = o->time.off_cpu ? EXPORT_OFF_CPU :
			     o->time.wall ? EXPORT_WALL : EXPORT_EVENTS,
		.opts.full_names = o->names.full, .opts.each_depth = !o->text.chains.fold,
		.opts.max_stack = o->max_stack == MAX_STACK_UNSET ? 0 : o->max_stack,
		.opts.lines = o->source_url, .opts.source_url = o->source_url,
	};

	if (o->percent_limit && !parse_percent(o->percent_limit, &c.opts.min_percent)) {
		pr_err("'%s' is not a percentage\n", o->percent_limit);
		return 1;
	}
	debug_servers__use(&r->servers, &c.symbols.binary);
	return convert__run(&c, NULL);
}

int report__run(const struct report_opts *opts)
{
	struct report r = {
		.opts = opts,
		.view = {
			.sort = opts->sort, .fields = opts->fields, .time = opts->only.time,
			.text = opts->text, .max_stack = opts->max_stack, .code = opts->code,
		},
		.symbols = opts->symbols,
	};

	r.symbols.no_demangle = opts->names.mangled;
	r.symbols.full_source_paths |= opts->json; /* it is for programs */
	return opts->html || opts->svg ? write_picture(&r) : read_recording(&r);
}
