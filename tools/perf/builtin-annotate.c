// SPDX-License-Identifier: GPL-2.0-only
/* perf annotate: which instructions the samples of a function are at. */
#include <stdlib.h>
#include <string.h>

#include "builtin-annotate.h"
#include "builtin-refused.h"
#include "builtin.h"
#include "util/base/hash.h"
#include "util/base/log.h"
#include "util/browser/dialogs.h"
#include "util/browser/screen.h"
#include "util/cli/account-print.h"
#include "util/cli/debug-servers.h"
#include "util/cli/input.h"
#include "util/cli/pager.h"
#include "util/cli/progress.h"
#include "util/cli/reader-privileges.h"
#include "util/data/event-groups.h"
#include "util/pipeline/pipeline.h"
#include "util/stack/filter.h"
#include "util/stack/frames.h"
#include "util/text/annotate-text.h"
#include "util/text/dump.h"

static const char *const annotate_usage[] = { "perf annotate [<options>] [<function>]", NULL };

struct annotate {
	const char *input, *function, *percent_limit, *color;
	bool force, quiet, dump, stdio, tui, groups, nr_samples, total_period, skip_missing;
	bool demangle;
	bool accepted;         /* options that change nothing, and the value of one: */
	const char *ignored;
	int verbose;
	double min_percent;
	struct filter_args only;
	struct annotate_args code;
	struct symbols_opts symbols;
	struct debug_servers servers;
	struct sample_filter filter;
	const struct recording *recording;
	struct event_groups event_groups;
	struct code_counts counts;
	struct pipeline *pipeline;
	struct resolver *resolver;
	struct progress progress;
	struct textbuf out;
	u32 nr_shown, nr_failed;
	struct map64 told; /* dsos whose functions could not be shown */
};

static int annotate__sample(void *ctx, const struct whole_sample *ws)
{
	struct annotate *a = ctx;
	struct location loc = {};

	if (!filter__in_scope(&a->filter, ws->s))
		return 0;
	resolver__address(a->resolver, ws->thread, ws->s->cpumode, ws->s->ip, false, &loc);
	/* A function that is not wanted counts in the whole, of which percentages are. */
	if (!filter__passes(&a->filter, ws->thread, &loc))
		loc.sym = NULL;
	code_counts__add(&a->counts, ws->rec->event->idx, &loc, ws->s->period);
	return 0;
}

static int annotate__record(void *ctx, const struct record *rec)
{
	struct annotate *a = ctx;

	resolver__record(a->resolver, rec);
	return 0;
}

static const struct event_group *group_of(const struct annotate *a, u32 event)
{
	return a->groups ? event_groups__of(&a->event_groups, event) : NULL;
}

static void put_event_name(const struct annotate *a, u32 event, struct textbuf *tb)
{
	const struct event_group *g = group_of(a, event);

	if (!g) {
		textbuf__puts(tb, a->recording->events.v[event]->name);
		return;
	}
	textbuf__printf(tb, "%s { ", g->name ?: "anon group");
	for (u32 i = 0; i < g->nr; i++)
		textbuf__printf(tb, "%s%s", i ? ", " : "",
				a->recording->events.v[g->first + i]->name);
	textbuf__puts(tb, " }");
}

/* Returns 0; -errno with words: the function has no code to show. */
static int make_annotation(struct annotate *a, u32 event, const struct code_count *f,
			   struct annotation *out, struct error *err)
{
	const struct event_group *g = group_of(a, event);
	int ret = annotate_args__listing(&a->code, pipeline__symbols(a->pipeline), f->dso, f->sym,
					 out, err);

	for (u32 i = 0; !ret && i < (g ? g->nr : 1); i++)
		annotation__add(out, &a->counts, event + i);
	return ret;
}

/* Once for each binary, or for the function that was asked for. */
static void say_missing(struct annotate *a, const struct code_count *f, const struct error *err)
{
	a->nr_failed++;
	if (!a->skip_missing && !map64__set(&a->told, (uintptr_t)f->dso, a))
		pr_warn("%s%s\n", a->function ? "" : "some functions are not shown: ", err->text);
}

static void put_function(struct annotate *a, u32 event, const struct code_count *f)
{
	struct annotation code;
	struct textbuf name;
	struct error err;

	if (make_annotation(a, event, f, &code, &err)) {
		say_missing(a, f, &err);
	} else {
		textbuf__init(&name, -1);
		put_event_name(a, event, &name);
		textbuf__annotation(&a->out, &code, textbuf__str(&name),
				    pipeline__symbols(a->pipeline), &a->code.text);
		textbuf__free(&name);
		a->nr_shown++;
	}
	annotation__free(&code);
}

static double percent_of_all(const struct annotate *a, u32 event, const struct code_count *f)
{
	u64 all = a->counts.totals.v[event].period;

	return all ? 100.0 * f->period / all : 0;
}

/* Fills the functions of an event that are to be shown. */
static void functions_of(const struct annotate *a, u32 event, code_count_vec *out)
{
	const struct event_group *g = group_of(a, event);

	if (!g || g->first == event)
		code_counts__functions(&a->counts, event, out);
	while (out->nr && percent_of_all(a, event, &out->v[out->nr - 1]) < a->min_percent)
		out->nr--;
}

static void put_all(struct annotate *a)
{
	for (u32 event = 0; event < a->recording->events.nr; event++) {
		code_count_vec functions = {};

		functions_of(a, event, &functions);
		for (size_t i = 0; i < functions.nr; i++)
			put_function(a, event, &functions.v[i]);
		vec__free(&functions);
	}
}

/* Fills a menu of functions. Returns the number of the one that the user chooses. */
static size_t choose(const struct annotate *a, u32 event, const char *title,
		     const code_count_vec *functions)
{
	const char **items = xcalloc(functions->nr, sizeof(*items));
	size_t chosen;

	for (size_t i = 0; i < functions->nr; i++)
		items[i] = xasprintf("%6.2f%%  %-20s  %s",
				     percent_of_all(a, event, &functions->v[i]),
				     functions->v[i].dso->short_name, functions->v[i].sym->name);
	chosen = dialog__choose(title, items, functions->nr);
	for (size_t i = 0; i < functions->nr; i++)
		free((char *)items[i]);
	free(items);
	return chosen;
}

static void browse_event(struct annotate *a, u32 event)
{
	const struct event_group *g = group_of(a, event);
	code_count_vec functions = {};
	struct annotate_shown shown;
	struct textbuf name;
	struct error err;
	size_t chosen;

	functions_of(a, event, &functions);
	textbuf__init(&name, -1);
	put_event_name(a, event, &name);
	shown = (struct annotate_shown){
		.symbols = pipeline__symbols(a->pipeline), .counts = &a->counts, .event = event,
		.nr_events = g ? g->nr : 1, .event_name = textbuf__str(&name),
	};
	a->nr_shown += functions.nr;
	while (functions.nr) {
		chosen = choose(a, event, textbuf__str(&name), &functions);
		if (chosen == functions.nr)
			break;
		if (annotate_args__browse(&a->code, &shown, functions.v[chosen].dso,
					  functions.v[chosen].sym, &err))
			dialog__text(functions.v[chosen].sym->name, err.text);
	}
	textbuf__free(&name);
	vec__free(&functions);
}

static int browse(struct annotate *a, struct error *err)
{
	struct screen screen;
	int ret = screen__open(&screen, err);

	if (ret)
		return ret;
	for (u32 event = 0; event < a->recording->events.nr; event++)
		browse_event(a, event);
	screen__close(&screen);
	return 0;
}

static int show(struct annotate *a, struct error *err)
{
	int ret = 0;

	if (a->tui)
		ret = browse(a, err);
	else
		put_all(a);
	if (ret || a->nr_shown || a->nr_failed)
		return ret ?: a->nr_shown || a->skip_missing ? 0 : -ENODATA;
	return error__set(err, -ENODATA, "%s has no samples in %s%s", a->input ?: "perf.data",
			  a->function ? "the function " : "functions that are known",
			  a->function ?: "");
}

static int run_pipeline(struct annotate *a, struct reader *reader, struct error *err)
{
	struct pipeline_opts opts = {
		.symbols = a->symbols, .keep_deferred = true,
		.keep_copies = true,
		.sink = { .sample = annotate__sample, .record = annotate__record, .ctx = a },
		.progress = progress__update, .progress_ctx = &a->progress,
	};
	int ret = pipeline__new(&a->pipeline, a->recording, &opts, err);

	if (ret)
		return ret;
	a->resolver = resolver__new(pipeline__symbols(a->pipeline));
	progress__start(&a->progress, "Processing records...");
	ret = pipeline__run(a->pipeline, reader, err);
	progress__finish(&a->progress);
	while (a->counts.totals.nr < a->recording->events.nr)
		*vec__push(&a->counts.totals) = (struct code_total){};
	if (!ret)
		ret = show(a, err);
	if (!textbuf__flush(&a->out) && (!ret || ret == -ENODATA)) {
		account__print_symbols(pipeline__symbols(a->pipeline));
		account__print_jit(jit_dumps__account(pipeline__jit(a->pipeline)));
		if (account__describe(reader, pipeline__account(a->pipeline), account__print))
			ret = -EBADMSG;
	}
	code_counts__free(&a->counts);
	map64__free(&a->told);
	resolver__free(a->resolver);
	pipeline__free(a->pipeline);
	return ret;
}

static int run(struct annotate *a, struct error *err)
{
	struct input input;
	int ret = input__open(&input, a->input, a->force, INPUT_FILE, &a->symbols.binary, err);

	if (!a->tui) {
		pager__textbuf(&a->out);
		pager__start();
		reader__drop_privileges(NULL);
	} else {
		textbuf__init(&a->out, -1);
	}
	if (!ret) {
		a->recording = reader__recording(input.reader);
		ret = filter__make(&a->filter, &a->only, a->recording, err);
	}
	if (!ret && a->dump) {
		textbuf__dump(&a->out, input.reader);
	} else if (!ret) {
		event_groups__read(&a->event_groups, a->recording);
		ret = run_pipeline(a, input.reader, err);
		event_groups__free(&a->event_groups);
	}
	textbuf__flush(&a->out);
	if (!ret && a->out.error && a->out.error != -EPIPE)
		ret = error__set(err, a->out.error, "cannot write to standard output: %s",
				 strerror(-a->out.error));
	filter__free(&a->filter);
	textbuf__free(&a->out);
	input__close(&input);
	return ret;
}

static void check(struct annotate *a, const struct option *options)
{
	struct error err;
	char *end;

	if (annotate_args__finish(&a->code, a->symbols.vmlinux, &err))
		usage__die(options, annotate_usage, "%s", err.text);
	if (a->percent_limit) {
		a->min_percent = strtod(a->percent_limit, &end);
		if (end == a->percent_limit || (*end && strcmp(end, "%")) ||
		    !(a->min_percent >= 0 && a->min_percent <= 100))
			usage__die(options, annotate_usage, "--percent-limit: '%s' is not a "
				   "percentage", a->percent_limit);
	}
	if (a->nr_samples && a->total_period)
		usage__die(options, annotate_usage, "choose one of --show-nr-samples and "
			   "--show-total-period");
	if (a->tui && a->stdio)
		usage__die(options, annotate_usage, "choose one of --tui and --stdio");
	a->tui |= !a->stdio && !a->quiet && !a->dump && screen__is_there();
	a->code.text.column = a->nr_samples ? ANNOTATE_SAMPLES :
			      a->total_period ? ANNOTATE_PERIOD : ANNOTATE_PERCENT;
	a->only.syms = a->function;
}

int cmd_annotate(int argc, const char **argv)
{
	struct annotate a = { .groups = true, .demangle = true, .code.source = true };
	const struct option options[] = {
		OPT_STRING('i', "input", &a.input, "file", "read this recording (- is stdin)"),
		OPT_STRING('s', "symbol", &a.function, "function", "only this function"),
		OPT_STRING('d', "dsos", &a.only.dsos, "list", "only functions in these binaries"),
		OPT_STRING('C', "cpu", &a.only.cpus, "list", "only samples taken on these CPUs"),
		OPT_STRING(0, "time", &a.only.time, "start,stop",
			   "only samples in this time range: in seconds, or 10%/2, 0%-20%"),
		OPT_STRING(0, "percent-limit", &a.percent_limit, "percent",
			   "only functions with at least this share of the samples"),
		OPT_BOOL('n', "show-nr-samples", &a.nr_samples, "numbers of samples in place of "
			 "percentages"),
		OPT_BOOL(0, "show-total-period", &a.total_period, "sums of periods in place of "
			 "percentages"),
		OPT_BOOL(0, "group", &a.groups, "show the events of a group side by side "
			 "(default)"),
		OPT_BOOL('l', "print-line", &a.code.text.lines, "print the source line of hot "
			 "instructions, and first a summary of them"),
		OPT_BOOL('P', "full-paths", &a.code.text.full_paths, "print paths of binaries"),
		OPT_BOOL(0, "ignore-vmlinux", &a.accepted, "no effect: only the file of --vmlinux "
			 "is read"),
		OPT_BOOL(0, "skip-empty", &a.accepted, "no effect: events without samples are not "
			 "shown"),
		OPT_STRING(0, "addr2line", &a.ignored, "path", "no effect: source lines are found "
			   "without another program"),
		OPT_BOOL(0, "skip-missing", &a.skip_missing, "say nothing of functions whose code "
			 "is not here"),
		ANNOTATE_CODE_OPTIONS(a.code),
		OPT_BOOL(0, "tui", &a.tui, "walk through the code on the terminal (default on a "
			 "terminal)"),
		OPT_BOOL(0, "stdio", &a.stdio, "print text (default where there is no terminal)"),
		OPT_STRING(0, "stdio-color", &a.color, "mode", "never: text has no colours"),
		OPT_SYMFS(a.symbols.binary),
		OPT_STRING('k', "vmlinux", &a.symbols.vmlinux, "file", "read the kernel's code and "
			   "symbols from this ELF file"),
		OPT_DEMANGLE(a.demangle),
		OPT_DEMANGLE_KERNEL(a.symbols),
		OPT_BOOL('D', "dump-raw-trace", &a.dump, "print the bytes of every record"),
		OPT_BOOL('f', "force", &a.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &a.verbose, "print more messages"),
		OPT_BOOL('q', "quiet", &a.quiet, "print no warnings"),
		ANNOTATE_REFUSED_OPTIONS,
		OPT_END(),
	};
	struct error err = {};
	int ret;

	argc = options__parse(argc, argv, options, annotate_usage, 0);
	if (argc > 1 || (argc && a.function))
		usage__die(options, annotate_usage, "unexpected argument '%s'", argv[argc - 1]);
	if (argc)
		a.function = argv[0];
	check(&a, options);
	log__set_level(a.quiet ? LOG_QUIET : a.verbose);
	a.symbols.no_demangle = !a.demangle;
	debug_servers__use(&a.servers, &a.symbols.binary);
	if (a.tui || !pager__is_due())
		reader__drop_privileges(NULL);
	ret = run(&a, &err);
	annotate_args__free(&a.code);
	if (err.code)
		pr_err("%s\n", err.text);
	pager__wait();
	return ret ? 1 : 0;
}
