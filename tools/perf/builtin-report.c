// SPDX-License-Identifier: GPL-2.0-only
/* perf report: where a recording's samples fell, as text. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "builtin-refused.h"
#include "builtin-report-time.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/account-print.h"
#include "util/cli/config-options.h"
#include "util/cli/debug-servers.h"
#include "util/cli/input.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/progress.h"
#include "util/cli/reader-privileges.h"
#include "util/data/event-groups.h"
#include "util/data/tracepoint.h"
#include "util/pipeline/pipeline.h"
#include "util/text/dump.h"
#include "util/text/header-text.h"
#include "util/text/off-cpu-text.h"
#include "util/text/report-json.h"
#include "util/stack/filter.h"

/*
 * Of deeper stacks a call graph shows only so many frames next to its line, unless --max-stack says
 * otherwise: as many as the kernel's own callchains have, and as perf shows.
 */
#define GRAPH_FRAMES 127
#define MAX_STACK_UNSET UINT32_MAX

struct report {
	const char *input, *sort, *fields, *percentage;
	struct filter_args only;
	bool force, dump, header, header_only, stdio, merge, quiet, nr_samples, total_period;
	bool json, children, chains_asked, demangle;
	bool wakers;                 /* --sort wakers */
	const char *times;           /* a table of threads or processes in place of entries */
	const char *color, *percent_limit;
	int verbose;
	unsigned int max_stack;
	const char *unwind;
	struct symbols_opts symbols;
	struct debug_servers servers;
	struct report_text_opts text;

	struct sample_filter filter;
	struct hist_opts hist_opts;
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
	struct textbuf left_out;     /* lines about columns that are left out because of filters */
};

#define REPORT_TIME_OPTIONS(r)                                                                \
	OPT_BOOL(0, "off-cpu", &(r).time.off_cpu, "only the time that threads spent off a "   \
		 "CPU"),                                                                      \
	OPT_BOOL(0, "wall", &(r).time.wall, "time on and off CPUs together, as one event"),   \
	OPT_BOOL(0, "wakers", &(r).wakers, "of each wait, who woke the thread, and who woke " \
		 "that one: --sort +wakers"),                                                 \
	OPT_BOOL(0, "latency", &(r).time.latency, "the share of wall time: what runs beside " \
		 "others counts the less"),                                                   \
	OPT_STRING(0, "times", &(r).times, "thread|process", "a table of where the time of "  \
		   "each thread or process went")

static const char *const report_usage[] = { "perf report [<options>]", NULL };

static const char *trace_of(struct report *r, const struct whole_sample *ws)
{
	const char *text = NULL;

	if (!column_list__has(&r->hist_opts.keys, COLUMN_TRACE))
		return NULL;
	if (ws->s->raw)
		text = tracepoints__fields(r->traces, ws->rec->event->attr.config, ws->s->raw,
					   ws->s->raw_size);
	return arena__intern(r->arena, text ? text : "");
}

/* Returns the events that are shown together with this one, or NULL. */
static const struct event_group *group_of(const struct report *r, u32 event)
{
	const struct event_group *g = NULL;

	if (r->all.nr)
		return &r->all;
	if (r->groups)
		g = event_groups__of(&r->event_groups, event);
	return g && g->nr <= HIST_EVENTS_MAX ? g : NULL;
}

static u32 place_in_group(const struct report *r, u32 event)
{
	const struct event_group *g = group_of(r, event);

	return g ? event - g->first : 0;
}

static int report__sample(void *ctx, const struct whole_sample *ws)
{
	struct report *r = ctx;
	u32 event = r->time.wall ? 0 : ws->rec->event->idx;
	u32 first = event - place_in_group(r, event);
	struct hist *h = &r->hists[first];
	struct frame leaf = { .ip = ws->s->ip, .cpumode = ws->s->cpumode };
	struct time_part parts[TIME_PARTS_MAX];
	u32 nr = report_time__parts(&r->time, ws, parts);
	struct hist_context context;

	if (!nr || !filter__in_scope(&r->filter, ws->s))
		return 0;
	resolver__address(r->resolver, ws->thread, leaf.cpumode, leaf.ip, false, &leaf.loc);
	if (!filter__passes(&r->filter, ws->thread, &leaf.loc)) {
		for (u32 i = 0; i < nr; i++)
			hist__add_filtered(h, event - first, parts[i].ns);
		return 0;
	}
	context = (struct hist_context){
		.comm = ws->thread->comm,
		.pid = ws->thread->pid,
		.tid = ws->thread->tid,
		.cpu = ws->s->cpu,
		.event = event - first,
		.trace = trace_of(r, ws),
	};
	r->frames.f.nr = 0;
	if (r->hist_opts.children || r->text.chains.mode != CHAIN_NONE)
		resolver__chain(r->resolver, ws, r->max_stack, &r->frames);
	for (u32 i = 0; i < nr; i++) {
		report_time__describe(&r->time, &parts[i], &context);
		hist__add(h, &context, &r->frames, &leaf, parts[i].ns);
	}
	return 0;
}

static int report__record(void *ctx, const struct record *rec)
{
	struct report *r = ctx;

	resolver__record(r->resolver, rec);
	parallelism__record(&r->time.parallelism, rec);
	return 0;
}

static bool all_events_are(const struct recording *rec, u32 type)
{
	for (size_t i = 0; i < rec->events.nr; i++)
		if (rec->events.v[i]->attr.type != type)
			return false;
	return rec->events.nr > 0;
}

/* A column that can have only one value, because of a filter, becomes a line of the header. */
static void leave_out(struct report *r, enum column c, const struct name_list *names,
		      const char *title)
{
	struct column_list *l = &r->text.columns, kept = {};

	if (names->names.nr != 1 || !column_list__has(l, c))
		return;
	if (!r->quiet)
		textbuf__printf(&r->left_out, "# %s: %s\n", title, names->names.v[0]);
	for (unsigned int i = 0; i < l->nr; i++)
		if (l->v[i] != c)
			column_list__add(&kept, l->v[i]);
	*l = kept;
}

/* Makes the columns, the keys and the order of entries from -s, -F, -n and others. */
static int make_columns(struct report *r, struct error *err)
{
	bool traces = all_events_are(r->recording, PERF_TYPE_TRACEPOINT);
	struct column_list *columns = &r->text.columns, sort = {};
	const char *fields = r->fields;
	bool added = r->sort && *r->sort == '+'; /* to the default keys */
	int ret = 0;

	if (r->sort ? added : !fields || *fields == '+')
		ret = column_list__parse(&sort, traces ? "trace" : "comm,dso,sym", NULL);
	if (!ret && r->sort)
		ret = column_list__parse(&sort, r->sort, err);
	if (!ret && fields && *fields != '+')
		ret = column_list__parse(columns, fields, err);
	if (ret)
		return ret;
	if (r->wakers)
		column_list__add(&sort, COLUMN_WAKERS);
	r->hist_opts.order = sort;
	if (!columns->nr) {
		if (r->hist_opts.children)
			column_list__add(columns, COLUMN_OVERHEAD_CHILDREN);
		column_list__add(columns, COLUMN_OVERHEAD);
		column_list__add_first(&r->hist_opts.order, COLUMN_OVERHEAD);
		if (r->hist_opts.children)
			column_list__add_first(&r->hist_opts.order, COLUMN_OVERHEAD_CHILDREN);
	}
	if (r->nr_samples)
		column_list__add(columns, COLUMN_SAMPLE);
	if (r->total_period)
		column_list__add(columns, COLUMN_PERIOD);
	if (fields && *fields == '+')
		ret = column_list__parse(columns, fields, err);
	for (unsigned int i = 0; i < sort.nr; i++)
		column_list__add(columns, sort.v[i]);
	for (unsigned int i = 0; i < columns->nr; i++) {
		column_list__add(&r->hist_opts.order, columns->v[i]);
		if (column__is_key(columns->v[i]))
			column_list__add(&r->hist_opts.keys, columns->v[i]);
	}
	leave_out(r, COLUMN_DSO, &r->filter.dsos, "dso");
	leave_out(r, COLUMN_COMM, &r->filter.comms, "comm");
	leave_out(r, COLUMN_SYM, &r->filter.syms, "symbol");
	return ret;
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

static bool has_switches(const struct recording *rec)
{
	for (size_t i = 0; i < rec->events.nr; i++)
		if (rec->events.v[i]->attr.context_switch)
			return true;
	return false;
}

static int make_options(struct report *r, struct error *err)
{
	bool chains = recording__any_samples(r->recording, PERF_SAMPLE_CALLCHAIN);
	struct chain_opts *c = &r->text.chains;
	int ret = filter__make(&r->filter, &r->only, r->recording, err);

	if (!chains && r->chains_asked && c->mode != CHAIN_NONE)
		pr_warn("%s has no callchains: record with -g or --defer\n",
			r->input ? r->input : "perf.data");
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
	if (!ret && r->text.separator && (!*r->text.separator || *r->text.separator == '.'))
		ret = error__set(err, -EINVAL, "--field-separator must be neither empty nor a dot: "
				 "a dot replaces the separator in names");
	if (!ret && r->color && strcmp(r->color, "never") && strcmp(r->color, "auto"))
		ret = error__set(err, -EINVAL, "--stdio-color: only 'never' is supported");
	if (!ret && r->time.latency && !has_switches(r->recording))
		ret = error__set(err, -ENODATA, "--latency: %s has no switches: record with "
				 "--latency, or with --off-cpu", r->input ? r->input : "perf.data");
	r->text.latency = r->time.latency;
	r->text.quiet = r->quiet;
	r->text.time = r->only.time;
	r->text.skip_own_name = !r->fields;
	return ret ? ret : make_columns(r, err);
}

/* Says that graphs do not show all frames of the deepest stacks. */
static void put_cut(struct report *r)
{
	u32 max = r->text.chains.max_frames;
	u64 nr = 0;

	if (r->text.chains.mode == CHAIN_NONE || !max)
		return;
	for (size_t i = 0; i < r->recording->events.nr; i++)
		nr += stacks__nr_deeper(&r->hists[i].stacks, max);
	if (!nr)
		return;
	textbuf__printf(&r->out, "# Call graphs: the %u frames of a stack that are next to the "
			"function of the line; ", max);
	textbuf__dec(&r->out, nr, 0);
	textbuf__printf(&r->out, " %s more (see --max-stack)\n#\n",
			nr == 1 ? "sample has" : "samples have");
}

static void put_off_cpu(struct report *r)
{
	u64 left[THREAD_STATES] = {};

	textbuf__puts(&r->out, "# ");
	textbuf__off_cpu_line(&r->out, off_cpu__account(pipeline__off_cpu(r->pipeline)));
	for (int i = THREAD_ON; r->time.wall && i < THREAD_STATES; i++)
		left[i] = time_parts__left(r->time.parts, i);
	textbuf__state_times(&r->out, "; in no sample: ", left);
	textbuf__puts(&r->out, "\n#\n");
}

static void put_head(struct report *r)
{
	const struct pipeline_account *a = pipeline__account(r->pipeline);
	char line[ACCOUNT_LINE_MAX];

	if (!r->header)
		textbuf__puts(&r->out, "# To display the perf.data header info, please use "
			      "--header/--header-only options.\n#\n");
	textbuf__put(&r->out, r->left_out.buf, r->left_out.len);
	textbuf__puts(&r->out, "#\n# Total Lost Samples: ");
	textbuf__dec(&r->out, pipeline_account__lost(a), 0);
	textbuf__puts(&r->out, "\n#\n");
	/* Not if all stacks are shown as recorded. */
	if (pipeline_account__wanted(a) || a->user_part[USER_PART_KEPT]) {
		pipeline_account__line(a, line, sizeof(line));
		textbuf__printf(&r->out, "# User stacks: %s\n#\n", line);
	}
	if (pipeline__off_cpu(r->pipeline))
		put_off_cpu(r);
	put_cut(r);
}

/* "anon group { cycles, instructions }", in the words of perf. */
static void put_group_name(struct report *r, const struct event_group *g, struct textbuf *tb)
{
	if (g != &r->all)
		textbuf__printf(tb, "%s { ", g->name ?: "anon group");
	for (u32 i = 0; i < g->nr; i++)
		if (hist__shows(&r->hists[g->first], i))
			textbuf__printf(tb, "%s%s", i ? ", " : "",
					r->recording->events.v[g->first + i]->name);
	if (g != &r->all)
		textbuf__puts(tb, " }");
}

static void put_json(struct report *r, struct hist *h, u32 first)
{
	const char *names[HIST_EVENTS_MAX];

	for (u32 i = 0; i < h->opts.nr_events; i++)
		names[i] = r->recording->events.v[first + i]->name;
	report_json__event(&r->out, h, names, &r->text);
}

static u64 put_event(struct report *r, u32 event)
{
	const struct event_group *g = group_of(r, event);
	struct hist *h = &r->hists[event];
	struct textbuf name;
	u64 nr = 0;

	for (u32 i = 0; i < h->opts.nr_events; i++)
		nr += h->totals[i].nr + h->totals[i].filtered_nr;
	if (!nr)
		return 0;
	textbuf__init(&name, -1);
	if (g)
		put_group_name(r, g, &name);
	else if (r->time.wall)
		textbuf__puts(&name, "wall time");
	else
		textbuf__puts(&name, r->recording->events.v[event]->name);
	hist__finish(h);
	if (r->json)
		put_json(r, h, event);
	else
		textbuf__report(&r->out, h, textbuf__str(&name), &r->text);
	textbuf__free(&name);
	return nr;
}

static void put_report(struct report *r)
{
	u64 nr = 0;

	if (r->json)
		report_json__header(&r->out, r->recording,
				    pipeline_account__lost(pipeline__account(r->pipeline)));
	else if (!r->quiet)
		put_head(r);
	if (r->times) {
		textbuf__thread_times(&r->out, pipeline__off_cpu(r->pipeline), *r->times == 'p');
		return;
	}
	for (size_t i = 0; i < r->recording->events.nr; i++)
		if (!place_in_group(r, i))
			nr += put_event(r, i);
	if (!nr)
		pr_warn("%s has no samples%s\n", r->input ? r->input : "perf.data",
			r->only.time || r->only.cpus ? " in this time range or on these CPUs" : "");
}

static int report__end(void *ctx)
{
	struct report *r = ctx;

	progress__finish(&r->progress);
	put_report(r);
	if (r->json)
		report_json__end(&r->out, !account__damaged(reader__account(r->reader)));
	return 0;
}

/* Makes the groups of events that are shown together: as recorded, or with --group all. */
static void make_groups(struct report *r)
{
	u32 nr = r->recording->events.nr;

	event_groups__read(&r->event_groups, r->recording);
	if (r->groups_given && r->groups && !r->event_groups.v.nr && nr > 1 &&
	    nr <= HIST_EVENTS_MAX)
		r->all = (struct event_group){ .nr = nr };
	r->hists = xcalloc(nr, sizeof(*r->hists));
	for (u32 i = 0; i < nr; i++) {
		const struct event_group *g = group_of(r, i);

		r->hist_opts.nr_events = g && g->first == i ? g->nr : 1;
		hist__init(&r->hists[i], &r->hist_opts);
		r->hists[i].stacks.show_address = r->text.chains.by_address;
	}
}

static int run_pipeline(struct report *r, struct reader *reader, struct error *err)
{
	struct pipeline_opts opts = {
		.unwind = r->unwind,
		.symbols = r->symbols,
		.sink = {
			.sample = report__sample, .record = report__record, .end = report__end,
			.ctx = r, .split_reads = true,
		},
		.progress = progress__update,
		.progress_ctx = &r->progress,
	};
	size_t nr = r->recording->events.nr;
	int ret = pipeline__new(&r->pipeline, r->recording, &opts, err);

	if (!ret && (r->time.wall || r->times) && !pipeline__off_cpu(r->pipeline)) {
		ret = error__set(err, -ENODATA, "%s was not recorded with perf record --off-cpu",
				 r->input ? r->input : "perf.data");
		pipeline__free(r->pipeline);
	}
	if (ret)
		return ret;
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
	progress__start(&r->progress, "Processing records...");
	ret = pipeline__run(r->pipeline, reader, err);
	progress__finish(&r->progress);
	if (!textbuf__flush(&r->out) && !ret) {
		account__print_symbols(pipeline__symbols(r->pipeline));
		account__print_jit(jit_dumps__account(pipeline__jit(r->pipeline)));
		account__print_tracepoints(r->traces);
		if (account__describe(reader, pipeline__account(r->pipeline), account__print))
			ret = -EBADMSG;
	}
	for (size_t i = 0; i < nr; i++)
		hist__free(&r->hists[i]);
	free(r->hists);
	event_groups__free(&r->event_groups);
	arena__free(r->arena);
	tracepoints__free(r->traces);
	report_time__end(&r->time);
	resolver__free(r->resolver);
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
	if (r->dump) {
		textbuf__dump(&r->out, reader);
		if (r->out.error || !account__describe(reader, NULL, account__print))
			return 0;
		return -EBADMSG;
	}
	return run_pipeline(r, reader, err);
}

static int report__run(struct report *r)
{
	struct error err = {};
	struct input input;
	int ret;

	debug_servers__use(&r->servers, &r->symbols.binary);
	if (!pager__is_due())
		reader__drop_privileges(NULL);
	ret = input__open(&input, r->input, r->force, INPUT_FILE, &r->symbols.binary, &err);
	if (!ret) {
		pager__textbuf(&r->out);
		pager__start();
		reader__drop_privileges(NULL);
		textbuf__init(&r->left_out, -1);
		ret = run_report(r, input.reader, &err);
		textbuf__flush(&r->out);
		if (r->out.error && r->out.error != -EPIPE)
			ret = error__set(&err, r->out.error, "cannot write to standard output: %s",
					 strerror(-r->out.error));
		textbuf__free(&r->out);
		textbuf__free(&r->left_out);
		filter__free(&r->filter);
	}
	input__close(&input);
	if (err.code)
		pr_err("%s\n", err.text);
	pager__wait();
	return ret || r->out.error ? 1 : 0;
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

static int parse_groups(const struct option *opt, const char *arg, bool unset)
{
	struct report *r = opt->value;

	r->groups = r->groups_given = !unset;
	return 0;
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

/* What excludes each other. */
static void check_views(const struct report *r, const struct option *options)
{
	if (r->times && strcmp(r->times, "thread") && strcmp(r->times, "process"))
		usage__die(options, report_usage, "--times is of each thread or process, not of "
			   "'%s'", r->times);
	if (r->times && r->json)
		usage__die(options, report_usage, "--times prints text: leave out --json");
	if (r->time.latency && (r->time.off_cpu || r->time.wall))
		usage__die(options, report_usage, "--latency is of what runs: leave out --off-cpu "
			   "and --wall");
	if (r->time.off_cpu && r->time.wall)
		usage__die(options, report_usage, "--wall is --off-cpu and the time on a CPU: "
			   "leave out --off-cpu");
	if (r->json && r->dump)
		usage__die(options, report_usage, "--json cannot show bytes: leave out -D");
}

int cmd_report(int argc, const char **argv)
{
	struct report r = {
		.merge = true,
		.children = true,
		.demangle = true, .symbols.inlines = true,
		.groups = true,
		.max_stack = MAX_STACK_UNSET,
		.text.chains = CHAIN_OPTS_DEFAULT,
	};
	const struct option options[] = {
		OPT_STRING('i', "input", &r.input, "file", "read this recording (- is stdin)"),
		OPT_STRING('s', "sort", &r.sort, "key,...",
			   "sort keys: comm, dso, sym, pid, tid, cpu, srcline, srcfile, symoff, "
			   "trace, state, waker, wakers, parallelism"),
		OPT_STRING('F', "fields", &r.fields, "key,...",
			   "columns: sort keys, overhead, overhead_children, sample, period"),
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
		{ .type = OPTION_CALLBACK, .long_name = "group", .value = &r,
		  .callback = parse_groups, .flags = OPT_NOARG,
		  .help = "show the events of a group side by side (default); given explicitly, "
			  "also events without a group" },
		REPORT_TIME_OPTIONS(r),
		OPT_BOOL('n', "show-nr-samples", &r.nr_samples, "add a column with the number of "
			 "samples"),
		OPT_BOOL(0, "show-total-period", &r.total_period, "add a column with the sum of "
			 "the periods"),
		OPT_STRING('c', "comms", &r.only.comms, "list", "only samples of these commands"),
		OPT_STRING('d', "dsos", &r.only.dsos, "list", "only samples in these binaries"),
		OPT_STRING('S', "symbols", &r.only.syms, "list", "only samples in these functions"),
		OPT_STRING(0, "pid", &r.only.pids, "list", "only samples of these processes"),
		OPT_STRING(0, "tid", &r.only.tids, "list", "only samples of these threads"),
		OPT_STRING('C', "cpu", &r.only.cpus, "list", "only samples taken on these CPUs"),
		OPT_STRING(0, "time", &r.only.time, "start,stop",
			   "only samples in this time range: in seconds, or 10%/2, 0%-20%"),
		OPT_UINT(0, "max-stack", &r.max_stack, "n", "use at most <n> frames of each "
			 "callchain (0: all)"),
		OPT_BOOL(0, "merge-callchains", &r.merge,
			 "no effect: deferred callchains are always joined"),
		OPT_STRING('t', "field-separator", &r.text.separator, "string",
			   "print this between columns"),
		OPT_BOOL(0, "header", &r.header, "print the header of the recording first"),
		OPT_BOOL(0, "header-only", &r.header_only, "print the header and nothing else"),
		OPT_BOOL('D', "dump-raw-trace", &r.dump, "print the bytes of every record"),
		OPT_BOOL(0, "json", &r.json, "print a JSON object for each entry, one a line"),
		OPT_BOOL(0, "stdio", &r.stdio, "print text (the only interface)"),
		OPT_STRING(0, "stdio-color", &r.color, "mode", "never: text has no colours"),
		OPT_STRING(0, "unwind", &r.unwind, "list",
			   "sources for unwinding: sframe,eh_frame,fp (default), or libdw"),
		OPT_BOOL(0, "no-unwind-cache", &r.symbols.binary.no_unwind_cache,
			 "neither read nor keep unwind tables on disk"),
		OPT_STRING(0, "symfs", &r.symbols.binary.symfs, "dir",
			   "look for binaries below this directory"),
		OPT_STRING(0, "kallsyms", &r.symbols.kallsyms, "file", "read kernel symbols from "
			   "this copy of /proc/kallsyms"),
		OPT_STRING('k', "vmlinux", &r.symbols.vmlinux, "file", "read kernel symbols from "
			   "this ELF file"),
		OPT_BOOL(0, "inline", &r.symbols.inlines, "show inlined functions (default)"),
		OPT_BOOL(0, "demangle", &r.demangle, "print C++, Rust and D names as in the source "
			 "(default)"),
		OPT_BOOL(0, "demangle-kernel", &r.symbols.demangle_kernel,
			 "the same for names of the kernel"),
		OPT_BOOL('f', "force", &r.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &r.verbose, "print more messages"),
		OPT_BOOL('q', "quiet", &r.quiet, "print neither '#' lines nor warnings"),
		OPT_REFUSED(0, "tui", "there is no terminal interface; use --stdio"),
		OPT_REFUSED(0, "gtk", "there is no graphical interface; use --stdio"),
		OPT_REFUSED(0, "hierarchy", "entries are not nested; use several keys with --sort"),
		OPT_REFUSED('p', "parent", "use --children, or the callers in -g caller"),
		OPT_REFUSED('b', "branch-stack", "branch stacks are not evaluated"),
		OPT_REFUSED(0, "mem-mode", "memory sources are not decoded"),
		OPT_REFUSED(0, "itrace", "hardware traces are not decoded"),
		OPT_REFUSED('T', "threads", "use --sort pid"),
		REPORT_REFUSED_OPTIONS,
		OPT_END(),
	};

	take_settings(&r);
	argc = options__parse(argc, argv, options, report_usage, 0);
	if (argc > 1)
		usage__die(options, report_usage, "unexpected argument '%s'", argv[1]);
	if (argc == 1)
		r.input = argv[0];
	check_views(&r, options);
	log__set_level(r.quiet ? LOG_QUIET : r.verbose);
	r.symbols.no_demangle = !r.demangle;
	return report__run(&r);
}
