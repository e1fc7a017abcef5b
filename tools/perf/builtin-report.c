// SPDX-License-Identifier: GPL-2.0-only
/* perf report: where a recording's samples fell. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "builtin-export.h"
#include "builtin-refused.h"
#include "builtin-report-options.h"
#include "builtin-report.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/browser/screen.h"
#include "util/cli/account-print.h"
#include "util/cli/config-options.h"
#include "util/cli/input.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/reader-privileges.h"
#include "util/cli/unwind-style.h"
#include "util/sample/user-stack.h"
#include "util/text/dump.h"
#include "util/text/header-text.h"
#include "util/text/overview-text.h"
#include "util/text/off-cpu-text.h"
#include "util/text/report-json.h"
#include "util/stack/filter.h"

/*
 * Of deeper stacks a call graph shows only so many frames next to its line, unless --max-stack says
 * otherwise: as many as the kernel's own callchains have, and as perf shows.
 */
#define GRAPH_FRAMES 127

static const char *const report_usage[] = { "perf report [<options>]", NULL };

static bool needs_frames(const struct report *r)
{
	return r->hist_opts.children || r->text.chains.mode != CHAIN_NONE ||
	       column_list__has(&r->hist_opts.keys, COLUMN_SYSCALL) ||
	       column_list__has(&r->hist_opts.keys, COLUMN_OBJECT) ||
	       r->chain.parents.is_there || r->chain.ignored.is_there;
}

/*
 * Whether frames are only counted: those of a chain that was there, and that of the sample itself,
 * need not be made again then.
 */
static bool only_counts_frames(const struct report *r)
{
	return needs_frames(r) && !r->browser && !r->filter.dsos.names.nr &&
	       !r->filter.syms.names.nr && !r->text.resolved_only && !r->chain.parents.is_there &&
	       !r->chain.ignored.is_there &&
	       !column_list__has(&r->hist_opts.keys, COLUMN_SYSCALL) &&
	       !column_list__has(&r->hist_opts.keys, COLUMN_OBJECT);
}

/* What the samples of an event are added to: the entries of its group, and its place in that. */
struct report_place {
	struct hist *hist;
	u32 event; /* its number in the group */
};

static struct report_place place_of(struct report *r, u32 event)
{
	u32 place = report__place_in_group(r, event);

	return (struct report_place){ &r->hists[event - place], place };
}

/* A sample and its parts in time: more than one of a wait. */
struct report_sample {
	const struct whole_sample *ws;
	struct frame leaf;
	struct time_part parts[TIME_PARTS_MAX];
	u32 nr;
	u64 number; /* of its chain; 0: the frames are there */
	const char *parent;
};

static bool passes_filters(struct report *r, const struct report_sample *s)
{
	if (r->text.socket && report__socket(r, s->ws->s->cpu) != r->socket)
		return false;
	return filter__wants_stack(&r->filter, s->ws) &&
	       cpu_set__has(&r->time.levels, r->time.running) &&
	       filter__passes(&r->filter, s->ws->thread, &s->leaf.loc);
}

static void find_leaf(struct report *r, struct report_sample *s)
{
	struct frame *f = &s->leaf;

	resolver__address(r->resolver, s->ws->thread, f->cpumode, f->ip, false, &f->loc);
}

/*
 * Finds the frames and the parent. Returns false when the sample counts as filtered.
 * s->number: of a chain that may be known, whose frames are made later if it is not
 */
static bool is_chosen(struct report *r, struct report_sample *s)
{
	s->number = 0;
	if (!passes_filters(r, s))
		return false;
	r->frames.f.nr = 0;
	r->frames.number = 0;
	s->parent = NULL;
	if (r->only_counts_frames && s->nr == 1)
		s->number = resolver__number(r->resolver, s->ws);
	if (s->number)
		return true;
	if (r->only_counts_frames)
		find_leaf(r, s);
	if (needs_frames(r))
		resolver__chain(r->resolver, s->ws, r->max_stack, &r->frames);
	if (r->text.resolved_only)
		report_chain__named(&r->chain, &r->frames);
	s->parent = report_chain__parent(&r->chain, &r->frames);
	return s->parent || !r->chain.exclude_other;
}

/* What is known of it by keys. */
static struct hist_context context_of(struct report *r, const struct report_sample *s, u32 event)
{
	const struct whole_sample *ws = s->ws;
	struct hist_context context = {
		.comm = ws->thread->comm,
		.pid = ws->thread->pid,
		.tid = ws->thread->tid,
		.cpu = ws->s->cpu,
		.event = event,
		.whole = user_stack__word(ws),
		.parent = s->parent,
	};

	report__describe_texts(r, ws, &context);
	return context;
}

/* Returns false when frames are needed, which are made then. */
static bool count_known(struct report *r, struct report_sample *s,
			const struct report_place *p, struct hist_context *context)
{
	report_time__describe(&r->time, &s->parts[0], context);
	if (hist__add_known(p->hist, context, s->number, &s->leaf, s->parts[0].ns))
		return true;
	find_leaf(r, s);
	resolver__chain(r->resolver, s->ws, r->max_stack, &r->frames);
	r->frames.number = s->number;
	return false;
}

static void count_sample(struct report *r, struct report_sample *s, const struct report_place *p)
{
	struct hist_context context = context_of(r, s, p->event);

	if (s->number && count_known(r, s, p, &context))
		return;
	report_chain__ignore(&r->chain, &r->frames, &s->leaf);
	if (!r->hist_opts.children && r->text.chains.mode == CHAIN_NONE)
		r->frames.f.nr = 0;
	for (u32 i = 0; i < s->nr; i++) {
		report_time__describe(&r->time, &s->parts[i], &context);
		hist__add(p->hist, &context, &r->frames, &s->leaf, s->parts[i].ns);
	}
}

static int report__sample(void *ctx, const struct whole_sample *ws)
{
	struct report *r = ctx;
	u32 event = r->time.wall ? 0 : ws->rec->event->idx;
	struct report_place place = place_of(r, event);
	struct report_sample s; /* large: not to be cleared for each sample */

	s.ws = ws;
	s.leaf = (struct frame){ .ip = ws->s->ip, .cpumode = ws->s->cpumode };
	s.nr = report_time__parts(&r->time, ws, s.parts);
	if (!filter__in_scope(&r->filter, ws->s) ||
	    !filter__is_on(&r->filter, ws->rec->event) || !s.nr ||
	    report_live__hides(r, s.leaf.cpumode))
		return 0;
	if (!r->only_counts_frames)
		find_leaf(r, &s);
	if (r->text.resolved_only && !s.leaf.loc.sym)
		return 0;
	for (u32 i = 0; i < s.nr && r->mem_mode; i++)
		s.parts[i].ns = report__memory_cost(ws);
	if (!is_chosen(r, &s)) {
		for (u32 i = 0; i < s.nr; i++)
			hist__add_filtered(place.hist, place.event, s.parts[i].ns);
		return 0;
	}
	count_sample(r, &s, &place);
	if (r->browser)
		code_counts__add(&r->counts, event, &s.leaf.loc, ws->s->period);
	return 0;
}

static int report__record(void *ctx, const struct record *rec)
{
	struct report *r = ctx;

	resolver__record(r->resolver, rec);
	cgroups__record(&r->cgroups, rec);
	parallelism__record(&r->time.parallelism, rec);
	if (r->threads)
		thread_counts__record(&r->counted, rec, r->recording);
	return 0;
}

/*
 * With children, each frame of a chain has a graph of the others, and each branch of a graph is
 * indented: so the output would grow with the square or the cube of a stack's depth. A list of
 * whole chains, as for flame graphs, does not.
 */
static void limit_graphs(struct report *r)
{
	struct chain_opts *c = &r->text.chains;
	bool drawn = c->mode == CHAIN_GRAPH || c->mode == CHAIN_FRACTAL;

	if (r->max_stack != MAX_STACK_UNSET)
		return;
	r->max_stack = 0;
	if (drawn || r->hist_opts.children)
		c->max_frames = GRAPH_FRAMES;
}

static int parse_percent(const char *s, double *out, struct error *err)
{
	char *end;
	double v = strtod(s, &end);

	if (end == s || (*end && strcmp(end, "%")) || !(v >= 0 && v <= 100))
		return error__set(err, -EINVAL, "'%s' is not a percentage", s);
	*out = v;
	return 0;
}

static int parse_socket(struct report *r, struct error *err)
{
	unsigned long n;
	char *end;

	if (!r->text.socket)
		return 0;
	n = strtoul(r->text.socket, &end, 10);
	if (end == r->text.socket || *end || n >= REPORT_NO_SOCKET)
		return error__set(err, -EINVAL, "--socket-filter: '%s' is not a number",
				  r->text.socket);
	r->socket = n;
	return 0;
}

static bool has_switches(const struct recording *rec)
{
	for (size_t i = 0; i < rec->events.nr; i++)
		if (rec->events.v[i]->attr.context_switch)
			return true;
	return false;
}

static int choose_levels(struct report *r, struct error *err)
{
	if (cpu_set__add(&r->time.levels, r->time.only, err))
		return error__set(err, -EINVAL, "--parallelism: '%s' is not a list of numbers like "
				  "1,3-4", r->time.only);
	if (has_switches(r->recording))
		return 0;
	return error__set(err, -ENODATA, "--parallelism: %s has no switches: record with --latency",
			  report__input_name(r));
}

static int make_options(struct report *r, struct error *err)
{
	bool chains = recording__any_samples(r->recording, PERF_SAMPLE_CALLCHAIN);
	struct chain_opts *c = &r->text.chains;
	int ret = filter__make(&r->filter, &r->only, r->recording, err);

	if (!chains && r->chains_asked && c->mode != CHAIN_NONE)
		pr_warn("%s has no callchains: record with -g or --defer\n",
			report__input_name(r));
	if (!chains)
		c->mode = CHAIN_NONE;
	r->hist_opts.children = r->children && chains;
	if (!c->order_set)
		c->caller_order = r->hist_opts.children;
	r->hist_opts.caller_order = c->caller_order;
	limit_graphs(r);
	r->hist_opts.callers_first = c->mode != CHAIN_NONE;
	r->hist_opts.filter = &r->filter;
	if (!ret && r->percentage) {
		r->text.relative = !strcmp(r->percentage, "relative");
		if (!r->text.relative && strcmp(r->percentage, "absolute"))
			ret = error__set(err, -EINVAL, "--percentage must be relative or absolute");
	}
	if (!ret && r->percent_limit) {
		ret = parse_percent(r->percent_limit, &r->text.min_percent, err);
		c->min_percent = r->text.min_percent;
	}
	ret = ret ?: parse_socket(r, err);
	if (!ret && r->text.separator && (!*r->text.separator || *r->text.separator == '.'))
		ret = error__set(err, -EINVAL, "--field-separator must be neither empty nor a dot: "
				 "a dot replaces the separator in names");
	if (!ret && r->color && strcmp(r->color, "never") && strcmp(r->color, "auto"))
		ret = error__set(err, -EINVAL, "--stdio-color: only 'never' is supported");
	if (!ret && r->time.latency && !has_switches(r->recording))
		ret = error__set(err, -ENODATA, "--latency: %s has no switches: record with "
				 "--latency, or with --off-cpu", report__input_name(r));
	r->text.latency = r->time.latency;
	if (!ret && r->time.only)
		ret = choose_levels(r, err);
	r->text.quiet = r->quiet;
	r->text.time = r->only.time;
	r->text.skip_own_name = !r->fields;
	ret = ret ?: report__make_columns(r, err);
	return ret ?: report_chain__begin(&r->chain, column_list__has(&r->hist_opts.keys,
								      COLUMN_PARENT), err);
}

static int report__end(void *ctx)
{
	struct report *r = ctx;

	progress__finish(&r->progress);
	if (r->browser)
		return 0;
	report__put(r);
	if (r->json)
		report_json__end(&r->out, !account__damaged(reader__account(r->reader)));
	return 0;
}

/* Makes the groups of events that are shown together: as recorded, or with --group all. */
static void make_groups(struct report *r)
{
	u32 nr = r->recording->events.nr;
	struct hist_opts opts;

	event_groups__read(&r->event_groups, r->recording);
	if (r->groups_given && r->groups && !r->event_groups.v.nr && nr > 1 &&
	    nr <= HIST_EVENTS_MAX)
		r->all = (struct event_group){ .nr = nr };
	r->hists = xcalloc(nr, sizeof(*r->hists));
	for (u32 i = 0; i < nr; i++) {
		const struct event_group *g = report__group_of(r, i);

		r->hist_opts.nr_events = g && g->first == i ? g->nr : 1;
		r->hist_opts.sort_event =
			r->group_sort < r->hist_opts.nr_events ? r->group_sort : 0;
		opts = r->hist_opts;
		/* So that the browser can zoom into threads, and --brief knows them. */
		if (r->browser || r->brief) {
			column_list__add(&opts.keys, COLUMN_TID);
			column_list__add(&opts.keys, COLUMN_WHOLE);
		}
		hist__init(&r->hists[i], &opts);
		r->hists[i].stacks.by_address |= r->about != NULL;
		r->hists[i].stacks.show_address = r->text.chains.by_address && !r->about;
	}
}

/* Whether the view is of waits, and there are none. Those of Linux perf are samples alone. */
static bool lacks_waits(const struct report *r)
{
	if (pipeline__off_cpu(r->pipeline) || !(r->time.off_cpu || r->time.wall || r->times))
		return false;
	for (size_t i = 0; i < r->recording->events.nr; i++)
		if (evsel__is_off_cpu(r->recording->events.v[i]))
			return r->time.wall || r->times || r->wakers;
	return true;
}

static int open_pipeline(struct report *r, struct error *err)
{
	struct pipeline_opts opts = {
		.unwind = r->unwind,
		.symbols = r->symbols,
		.sink = {
			.sample = report__sample, .record = report__record, .end = report__end,
			.ctx = r, .split_reads = true,
		},
		.progress = r->browser ? browser__poll : progress__update,
		.progress_ctx = r->browser ? (void *)r->browser : &r->progress,
	};
	int ret;

	if (r->times)
		opts.times_within = report_time__within(&r->time, &r->filter.times);
	ret = pipeline__new(&r->pipeline, r->recording, &opts, err);
	if (ret || !lacks_waits(r))
		return ret;
	pipeline__free(r->pipeline);
	return error__set(err, -ENODATA, "%s was not recorded with perf record --off-cpu",
			  report__input_name(r));
}

/* What samples are described by, and counted in. */
static void begin_counting(struct report *r)
{
	r->hist_opts.symbols = pipeline__symbols(r->pipeline);
	r->resolver = resolver__new(r->hist_opts.symbols);
	r->traces = tracepoints__new(r->recording);
	tracepoints__name_functions(r->traces, resolver__traced_function, r->resolver);
	r->arena = arena__new();
	r->time.machine = pipeline__machine(r->pipeline);
	r->time.keys = &r->hist_opts.keys;
	r->time.arena = r->arena;
	report_time__begin(&r->time, pipeline__off_cpu(r->pipeline), r->recording);
	make_groups(r);
	r->only_counts_frames = only_counts_frames(r);
}

static void end_counting(struct report *r)
{
	for (size_t i = 0; i < r->recording->events.nr; i++)
		hist__free(&r->hists[i]);
	free(r->hists);
	r->hists = NULL;
	thread_counts__free(&r->counted);
	report_live__end(r);
	code_counts__free(&r->counts);
	event_groups__free(&r->event_groups);
	cpu_topology__free(&r->topology);
	cgroups__free(&r->cgroups);
	map64__free(&r->processes);
	arena__free(r->arena);
	tracepoints__free(r->traces);
	report_time__end(&r->time);
	resolver__free(r->resolver);
}

/* Returns: 0; -EBADMSG when the recording is damaged. */
static int print_accounts(struct report *r)
{
	account__print_symbols(pipeline__symbols(r->pipeline));
	account__print_jit(jit_dumps__account(pipeline__jit(r->pipeline)));
	account__print_tracepoints(r->traces);
	return account__describe(r->reader, pipeline__account(r->pipeline), account__print) ?
	       -EBADMSG : 0;
}

static int run_pipeline(struct report *r, struct reader *reader, struct error *err)
{
	int ret = open_pipeline(r, err);

	if (ret)
		return ret;
	begin_counting(r);
	if (!r->browser)
		progress__start(&r->progress, "Processing records...");
	ret = pipeline__run(r->pipeline, reader, err);
	progress__finish(&r->progress);
	if (r->browser)
		ret = report__browse(r, ret);
	if (!textbuf__flush(&r->out) && !ret && !r->again && !r->live)
		ret = print_accounts(r);
	end_counting(r);
	pipeline__free(r->pipeline);
	return ret;
}

static int run_report(struct report *r, struct reader *reader, struct error *err)
{
	int ret;

	r->reader = reader;
	r->recording = reader__recording(reader);
	ret = make_options(r, err);
	if (ret)
		return ret;
	if (r->json && r->header_only)
		report_json__header(&r->out, r->recording, 0);
	else if (!r->json && (r->header || r->header_only))
		textbuf__header(&r->out, reader);
	if (r->header_only)
		return 0;
	if (r->stats || r->tasks || r->mmaps) {
		if (r->stats)
			textbuf__stats(&r->out, reader);
		else
			textbuf__tasks(&r->out, reader, r->mmaps);
		return account__describe(reader, NULL, account__print) ? -EBADMSG : 0;
	}
	if (r->dump) {
		textbuf__dump(&r->out, reader);
		if (r->out.error || !account__describe(reader, NULL, account__print))
			return 0;
		return -EBADMSG;
	}
	return run_pipeline(r, reader, err);
}

static void begin_text(struct report *r)
{
	if (r->live) {
		textbuf__init(&r->out, STDOUT_FILENO);
		r->out.disarm = isatty(STDOUT_FILENO);
	} else {
		pager__textbuf(&r->out);
		pager__start();
	}
	reader__drop_privileges(NULL);
}

static int open_input(struct report *r, struct input *input, struct error *err)
{
	if (!r->live)
		return input__open(input, r->input, r->force, INPUT_FILE, &r->symbols.binary, err);
	*input = (struct input){ .fd = -1 };
	return reader__open_live_fd(&input->reader, r->live->fd, "perf record", report_live__idle,
				    r, err);
}

static int read_input(struct report *r, bool browse, struct error *err)
{
	struct input input;
	int ret = open_input(r, &input, err);

	r->again = false;
	if (!ret && !browse)
		begin_text(r);
	else if (!ret)
		textbuf__init(&r->out, -1);
	if (!ret && browse && !r->browser)
		ret = report__open_browser(r, err);
	if (!ret) {
		textbuf__init(&r->left_out, -1);
		ret = run_report(r, input.reader, err);
		textbuf__flush(&r->out);
		if (r->out.error && r->out.error != -EPIPE)
			ret = error__set(err, r->out.error, "cannot write to standard output: %s",
					 strerror(-r->out.error));
		textbuf__free(&r->left_out);
		filter__free(&r->filter);
	}
	textbuf__free(&r->out);
	input__close(&input);
	return ret;
}

int report__run(struct report *r)
{
	bool browse = report__wants_browser(r);
	struct error err = {};
	int ret;

	debug_servers__use(&r->servers, &r->symbols.binary);
	if (browse || !pager__is_due())
		reader__drop_privileges(NULL);
	do {
		r->text.columns = (struct column_list){};
		r->hist_opts = (struct hist_opts){};
		ret = read_input(r, browse, &err);
	} while (r->again);
	browser__free(r->browser);
	free(r->asked_sort);
	free(r->asked_time);
	annotate_args__free(&r->code);
	report_chain__end(&r->chain);
	if (err.code)
		pr_err("%s\n", err.text);
	pager__wait();
	return ret || r->out.error ? 1 : 0;
}

int report__parse_groups(const struct option *opt, const char *arg, bool unset)
{
	struct report *r = opt->value;

	r->groups = r->groups_given = !unset;
	return 0;
}

static int parse_call_graph(const struct option *opt, const char *arg, bool unset)
{
	struct report *r = opt->value;
	struct error err;

	r->chains_asked = !unset;
	if (unset) {
		r->text.chains.mode = CHAIN_NONE;
		return 0;
	}
	if (!chain_opts__parse(&r->text.chains, arg ? arg : "", &err))
		return 0;
	pr_err("%s\n", err.text);
	return -1;
}

static int parse_interface(const struct option *opt, const char *arg, bool unset)
{
	struct report *r = opt->value;

	r->tui = *opt->long_name == 't';
	r->stdio = !r->tui;
	return 0;
}

static int parse_quantum(const struct option *opt, const char *arg, bool unset)
{
	struct report *r = opt->value;

	if (unset)
		r->quantum = REPORT_QUANTUM;
	if (unset || (clock__parse(arg, 0, &r->quantum) && r->quantum))
		return 0;
	pr_err("--time-quantum %s: must be a time, such as 10us, 1ms or 2s\n", arg);
	return -1;
}

static int parse_inverted(const struct option *opt, const char *arg, bool unset)
{
	return parse_call_graph(opt, "caller", false);
}

static void take_settings(struct report *r)
{
	struct chain_opts chains = r->text.chains;
	struct config config;
	char words[256];
	struct error err;

	config__load(&config, NULL);
	config__chain_words(&config, words, sizeof(words));
	if (!chain_opts__parse(&chains, words, &err))
		r->text.chains = chains;
	else
		pr_warn("the call-graph settings in perfconfig are ignored: %s\n", err.text);
	config__free(&config);
}

/* All of the recording as a page or a picture; views are chosen there. */
static int write_picture(struct report *r)
{
	struct export_cmd c = {
		.command = "perf report", .input = r->input, .output = r->html ?: r->svg,
		.format = export_format__find(r->html ? "html" : "svg"), .only = r->only,
		.symbols = r->symbols, .unwind = r->unwind, .force = r->force,
		.opts.max_stack = r->max_stack == MAX_STACK_UNSET ? 0 : r->max_stack,
	};

	debug_servers__use(&r->servers, &c.symbols.binary);
	return export_cmd__run(&c);
}

/* What excludes each other. */
static void check_views(const struct report *r, const struct option *options)
{
	if (r->times && strcmp(r->times, "thread") && strcmp(r->times, "process"))
		usage__die(options, report_usage, "--times is of each thread or process, not of "
			   "'%s'", r->times);
	if (r->time.latency && (r->time.off_cpu || r->time.wall))
		usage__die(options, report_usage, "--latency is of what runs: leave out --off-cpu "
			   "and --wall");
	if (r->time.off_cpu && r->time.wall)
		usage__die(options, report_usage, "--wall is --off-cpu and the time on a CPU: "
			   "leave out --off-cpu");
	if (r->tui && (r->json || r->times || r->dump || r->header_only || r->stats || r->tasks ||
		       r->mmaps))
		usage__die(options, report_usage, "--json, --times, -D, --stats and such print "
			   "text: leave out --tui");
	if (r->tui && r->input && !strcmp(r->input, "-"))
		usage__die(options, report_usage, "--tui reads keys from standard input: give it "
			   "a file");
	if (r->json && (r->stats || r->tasks || r->mmaps))
		usage__die(options, report_usage, "--stats and --tasks print text: leave out "
			   "--json");
	if (r->hierarchy && (r->tui || r->json || r->brief || r->html || r->svg || r->widths))
		usage__die(options, report_usage, "--hierarchy is a text of its own: leave out "
			   "--tui, --json, --brief, --html and -w");
	if (r->pretty && strcmp(r->pretty, "normal") && strcmp(r->pretty, "raw"))
		usage__die(options, report_usage, "--pretty is normal or raw, not '%s'", r->pretty);
	if (r->threads && (r->tui || r->json || r->brief || r->html || r->svg || r->times))
		usage__die(options, report_usage, "-T is for text: leave out --tui, --json, "
			   "--brief, --html, --svg and --times");
	if (r->brief && (r->tui || r->times || r->dump))
		usage__die(options, report_usage, "--%s is a text of its own: leave out "
			   "--tui, --times and -D", r->about ? "about" : "brief");
	if ((r->html || r->svg) && r->time.only)
		usage__die(options, report_usage, "--parallelism is for tables: leave out --html "
			   "and --svg");
	if ((r->html || r->svg) && (r->json || r->tui || r->times || r->dump || r->brief ||
				    r->stats || r->tasks || r->header_only || (r->html && r->svg)))
		usage__die(options, report_usage, "--html and --svg write a file of their own: "
			   "leave out the other options for what is printed");
	if (r->json && r->dump)
		usage__die(options, report_usage, "--json cannot show bytes: leave out -D");
}

int cmd_report(int argc, const char **argv)
{
	struct report r = { REPORT_DEFAULTS };
	const struct option options[] = {
		OPT_STRING('i', "input", &r.input, "file", "read this recording (- is stdin)"),
		OPT_STRING('s', "sort", &r.sort, "key,...",
			   "sort keys: comm, dso, sym, pid, tid, cpu, srcline, srcfile, symoff, "
			   "trace, state, waker, wakers, parallelism, syscall, time, tgid, "
			   "comm_nodigit, symbol_size, cgroup, addr, code_page_size, symbol_daddr, "
			   "dso_daddr, mem, snoop, tlb, locked, blocked, local_weight"),
		OPT_BOOL(0, "mem-mode", &r.mem_mode, "samples of memory (perf record -d -W): count "
			 "weights, and sort by " MEM_MODE_KEYS),
		OPT_STRING('F', "fields", &r.fields, "key,...",
			   "columns: sort keys, overhead, overhead_children, overhead_sys, "
			   "overhead_us, sample, period"),
		OPT_BOOL(0, "children", &r.children, "count a sample for the callers of its "
			 "function, too (default)"),
		{ .type = OPTION_CALLBACK, .short_name = 'G', .long_name = "inverted", .value = &r,
		  .callback = parse_inverted, .flags = OPT_NOARG | OPT_NONEG,
		  .help = "the same as -g caller" },
		{ .type = OPTION_CALLBACK, .short_name = 'g', .long_name = "call-graph",
		  .value = &r, .argh = "print_type,threshold,...", .callback = parse_call_graph,
		  .flags = OPT_LASTARG, .defval = "",
		  .help = "how to show call graphs: graph,0.5,caller,function,percent" },
		OPT_STRING(0, "percent-limit", &r.percent_limit, "percent",
			   "leave out entries with less than this"),
		OPT_STRING(0, "percentage", &r.percentage, "relative|absolute",
			   "percentages of the filtered samples, or of all samples (default)"),
		REPORT_TIME_OPTIONS(r),
		OPT_BOOL('n', "show-nr-samples", &r.nr_samples, "add a column with the number of "
			 "samples"),
		OPT_BOOL(0, "show-total-period", &r.total_period, "add a column with the sum of "
			 "the periods"),
		OPT_SAMPLE_FILTER(r.only),
		OPT_STRING('d', "dsos", &r.only.dsos, "list", "only samples in these binaries"),
		OPT_STRING('S', "symbols", &r.only.syms, "list", "only samples in these functions"),
		OPT_UINT(0, "max-stack", &r.max_stack, "n", "use at most <n> frames of each "
			 "callchain (0: all)"),
		OPT_BOOL(0, "merge-callchains", &r.merge,
			 "no effect: deferred callchains are always joined"),
		OPT_STRING('t', "field-separator", &r.text.separator, "string",
			   "print this between columns"),
		OPT_BOOL(0, "header", &r.header, "print the header of the recording first"),
		OPT_BOOL(0, "header-only", &r.header_only, "print the header and nothing else"),
		OPT_BOOL('D', "dump-raw-trace", &r.dump, "print the bytes of every record"),
		OPT_BOOL(0, "raw-trace", &r.raw_trace,
			 "fields of tracepoints as they are, without the print format"),
		OPT_BOOL(0, "json", &r.json, "print a JSON object for each entry, one a line"),
		REPORT_INTERFACE_OPTIONS(r),
		REPORT_CHOICE_OPTIONS(r),
		REPORT_SHARED_OPTIONS(r),
		OPT_STRING(0, "stdio-color", &r.color, "mode", "never: text has no colours"),
		OPT_UNWIND_SOURCES(r.unwind),
		OPT_UNWIND_STYLE(r.unwind),
		OPT_NO_UNWIND_CACHE(r.symbols.binary),
		OPT_SYMFS(r.symbols.binary),
		OPT_KALLSYMS(r.symbols),
		OPT_VMLINUX(r.symbols),
		ANNOTATE_CODE_OPTIONS(r.code),
		OPT_BOOL(0, "inline", &r.symbols.inlines, "show inlined functions (default)"),
		OPT_DEMANGLE(r.demangle),
		OPT_DEMANGLE_KERNEL(r.symbols),
		OPT_BOOL('f', "force", &r.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &r.verbose, "print more messages"),
		OPT_BOOL('q', "quiet", &r.quiet, "print neither '#' lines nor warnings"),
		OPT_REFUSED(0, "gtk", "there is no graphical interface; use --tui or --stdio"),
		OPT_REFUSED('b', "branch-stack", "branch stacks are not evaluated"),
		OPT_REFUSED(0, "itrace", "hardware traces are not decoded"),
		REPORT_REFUSED_OPTIONS,
		OPT_END(),
	};

	struct error err;

	take_settings(&r);
	argc = options__parse(argc, argv, options, report_usage, 0);
	if (argc > 1)
		usage__die(options, report_usage, "unexpected argument '%s'", argv[1]);
	if (argc == 1)
		r.input = argv[0];
	r.brief |= r.about != NULL;
	check_views(&r, options);
	r.time.off_cpu |= r.wakers && !r.time.wall && !r.time.latency;
	if (annotate_args__finish(&r.code, r.symbols.vmlinux, &err))
		usage__die(options, report_usage, "%s", err.text);
	log__set_level(r.quiet ? LOG_QUIET : r.verbose);
	r.symbols.no_demangle = !r.demangle;
	return r.html || r.svg ? write_picture(&r) : report__run(&r);
}
