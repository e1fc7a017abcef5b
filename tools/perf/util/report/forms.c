// SPDX-License-Identifier: GPL-2.0-only
#include "forms.h"

#include <string.h>

#include "../cli/option-forms.h"
#include "../cli/usage.h"

enum form {
	TEXT = 1,      /* --stdio, --hierarchy */
	TUI = 2,
	JSON = 4,
	BRIEF = 8,     /* --about, too */
	PAGE = 16,
	PICTURE = 32,
	TIMES = 64,
	RECORDS = 128, /* --stats, --tasks, --mmaps */
	DUMP = 256,
	HEADER = 512,  /* --header-only */
};

#define TABLES (TEXT | TUI | JSON)
#define SAMPLES (TABLES | BRIEF | PAGE | PICTURE)

static const struct option_effect effects[] = {
	{ "sort", TABLES }, { "mem-mode", TABLES | BRIEF }, { "fields", TABLES },
	{ "children", TABLES }, { "inverted", TABLES }, { "call-graph", TABLES | BRIEF },
	{ "percent-limit", TABLES | PAGE }, { "percentage", TABLES }, { "off-cpu", SAMPLES },
	{ "wall", TABLES | BRIEF | PAGE }, { "wakers", TABLES },
	{ "parallelism", TABLES | BRIEF }, { "latency", TABLES | BRIEF },
	{ "comms", SAMPLES }, { "pid", SAMPLES }, { "tid", SAMPLES }, { "whole-only", SAMPLES },
	{ "cut-only", SAMPLES }, { "cpu", SAMPLES }, { "activity", SAMPLES },
	{ "time", SAMPLES | TIMES }, { "dsos", SAMPLES }, { "symbols", SAMPLES },
	{ "max-stack", SAMPLES }, { "field-separator", TEXT },
	{ "header", TEXT | BRIEF | TIMES | RECORDS | DUMP | HEADER }, { "raw-trace", TABLES },
	{ "parent", TABLES | BRIEF }, { "exclude-other", TABLES | BRIEF },
	{ "hide-unresolved", TABLES | BRIEF }, { "socket-filter", TABLES | BRIEF },
	{ "source-url", PAGE },
	{ "threads", TEXT }, { "pretty", TEXT }, { "ns", TABLES }, { "time-quantum", TABLES },
	{ "hierarchy", TEXT }, { "fold-recursion", TUI | BRIEF | PAGE | PICTURE },
	{ "switch-on", SAMPLES }, { "switch-off", SAMPLES },
	{ "show-on-off-events", SAMPLES }, { "group", TABLES | BRIEF },
	{ "ignore-callees", TABLES | BRIEF }, { "symbol-filter", TEXT | TUI },
	{ "column-widths", TEXT | TUI }, { "group-sort-idx", TABLES },
	{ "show-cpu-utilization", TABLES }, { "showcpuutilization", TABLES },
};

static const struct option_forms forms = {
	.command = "report", .effects = effects, .nr_effects = ARRAY_SIZE(effects), .others = ~0U,
};

/* The form of what is printed, as report__run() chooses it. @name: gets its name */
static enum form form_of(const struct report_opts *o, const char **name)
{
	const struct { bool given; enum form form; const char *name; } table[] = {
		{ o->html, PAGE, "--html" },
		{ o->svg, PICTURE, "--svg" },
		{ o->header_only, HEADER, "--header-only" },
		{ o->stats, RECORDS, "--stats" },
		{ o->tasks, RECORDS, "--tasks" },
		{ o->mmaps, RECORDS, "--mmaps" },
		{ o->dump, DUMP, "--dump-raw-trace" },
		{ o->about, BRIEF, "--about" },
		{ o->brief, BRIEF, "--brief" },
		{ o->times, TIMES, "--times" },
		{ o->json, JSON, "--json" },
		{ report_opts__want_browser(o), TUI, "--tui" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		*name = table[i].name;
		if (table[i].given)
			return table[i].form;
	}
	*name = "--stdio";
	return TEXT;
}

/* What excludes each other. */
static void check_views(const struct report_opts *o, const struct option *options,
			const char *const usage[])
{
	if (o->times && strcmp(o->times, "thread") && strcmp(o->times, "process"))
		usage__die(options, usage, "--times is for each thread or process, not for "
					   "'%s'", o->times);
	if (o->time.latency && (o->time.off_cpu || o->time.wall))
		usage__die(options, usage, "--latency is for on-CPU time: leave out --off-cpu and "
					   "--wall");
	if (o->time.off_cpu && o->time.wall)
		usage__die(options, usage, "--wall includes --off-cpu: leave out --off-cpu");
	if (o->tui && (o->json || o->times || o->dump || o->header_only || o->stats || o->tasks ||
		       o->mmaps))
		usage__die(options, usage, "--json, --times, -D, --stats and similar options print "
					   "text: leave out --tui");
	if (o->tui && o->input && !strcmp(o->input, "-"))
		usage__die(options, usage, "--tui reads keys from standard input: give it "
			   "a file");
	if (o->json && (o->stats || o->tasks || o->mmaps))
		usage__die(options, usage, "--stats and --tasks print text: leave out "
			   "--json");
	if (o->hierarchy && (o->tui || o->json || o->brief || o->html || o->svg || o->widths))
		usage__die(options, usage, "--hierarchy prints a separate text: leave out --tui, "
					   "--json, --brief, --html and -w");
	if (o->pretty && strcmp(o->pretty, "normal") && strcmp(o->pretty, "raw"))
		usage__die(options, usage, "--pretty is normal or raw, not '%s'", o->pretty);
	if (o->threads && (o->tui || o->json || o->brief || o->html || o->svg || o->times))
		usage__die(options, usage, "-T is for text: leave out --tui, --json, "
			   "--brief, --html, --svg and --times");
	if (o->brief && (o->tui || o->times || o->dump))
		usage__die(options, usage, "--%s prints a separate text: leave out --tui, --times "
					   "and -D", o->about ? "about" : "brief");
	if ((o->html || o->svg) && o->time.only)
		usage__die(options, usage, "--parallelism is for tables: leave out --html "
			   "and --svg");
	if ((o->html || o->svg) && (o->json || o->tui || o->times || o->dump || o->brief ||
				    o->stats || o->tasks || o->header_only || (o->html && o->svg)))
		usage__die(options, usage, "--html and --svg write a separate file: leave out "
					   "options for printed output");
	/* A link of the page must not become code in it. */
	if (o->source_url && (!strstr(o->source_url, "://") || !strstr(o->source_url, "%f") ||
			      !strncasecmp(o->source_url, "javascript:", 11)))
		usage__die(options, usage, "--source-url needs an address with %%f, such as "
			   "vscode://file%%f:%%l");
	if (o->json && o->dump)
		usage__die(options, usage, "--json cannot show bytes: leave out -D");
}

void report_forms__check(const struct report_opts *o, const struct option *options,
			 const char *const usage[], const bool *given)
{
	const char *name;
	enum form form;

	check_views(o, options, usage);
	if (o->live)
		return;
	form = form_of(o, &name);
	option_forms__check(&forms, form, name, options, usage, given);
}
