// SPDX-License-Identifier: GPL-2.0-only
#include "forms.h"

#include "../cli/option-forms.h"

enum form {
	TEXT = 1,
	JSON = 2,
	FILES = 4,      /* --per-event-dump */
	BYTES = 8,      /* -D */
	HEADER = 16,    /* --header-only, with --json, too */
	SCRIPT = 32,    /* -s */
	GENERATED = 64, /* -g */
	LIST = 128,     /* -l */
	NAMED = 256,    /* an installed script, by its name */
};

#define LINES (TEXT | JSON | FILES)
#define SAMPLES (LINES | SCRIPT)
#define READERS (SAMPLES | BYTES | HEADER | GENERATED)
#define ALL (READERS | LIST | NAMED)

static const struct option_effect effects[] = {
	{ "input", ALL & ~LIST }, { "verbose", ALL }, { "quiet", ALL }, { "list", LIST },
	{ "fields", SAMPLES }, { "json", JSON | HEADER }, { "hide-call-graph", SAMPLES },
	{ "comms", SAMPLES }, { "pid", SAMPLES }, { "tid", SAMPLES }, { "whole-only", SAMPLES },
	{ "cut-only", SAMPLES }, { "cpu", SAMPLES }, { "activity", SAMPLES }, { "time", SAMPLES },
	{ "switch-on", SAMPLES }, { "switch-off", SAMPLES }, { "show-on-off-events", SAMPLES },
	{ "dsos", SAMPLES }, { "symbols", SAMPLES }, { "merge-callchains", SAMPLES },
	{ "max-stack", SAMPLES }, { "head", TEXT | JSON }, { "stop-bt", LINES },
	{ "ns", TEXT | FILES }, { "reltime", TEXT | FILES }, { "deltatime", TEXT | FILES },
	{ "show-mmap-events", LINES }, { "show-task-events", LINES },
	{ "show-lost-events", LINES }, { "show-switch-events", LINES },
	{ "show-namespace-events", LINES }, { "show-bpf-events", LINES },
	{ "show-cgroup-events", LINES }, { "show-round-events", LINES },
	{ "header", TEXT | FILES | BYTES | HEADER },
};

static const struct option_forms forms = {
	.command = "script", .effects = effects, .nr_effects = ARRAY_SIZE(effects),
	.others = READERS,
};

/* The form that script__run() chooses. @name: gets its name */
static enum form form_of(const struct script_opts *o, const char **name)
{
	const struct { bool given; enum form form; const char *name; } table[] = {
		{ o->list, LIST, "--list" },
		{ o->args[0] && !o->script, NAMED, "an installed script" },
		{ o->script, SCRIPT, "--script" },
		{ o->generate, GENERATED, "--gen-script" },
		{ o->header_only, HEADER, "--header-only" },
		{ o->dump, BYTES, "--dump-raw-trace" },
		{ o->json, JSON, "--json" },
		{ o->per_event, FILES, "--per-event-dump" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		*name = table[i].name;
		if (table[i].given)
			return table[i].form;
	}
	*name = "the text";
	return TEXT;
}

/* Scripts are handed all fields, and lines if they are asked for. */
static bool asks_for_fields(const struct script_fields *f)
{
	for (int i = 0; i < SCRIPT_TYPE_NR; i++)
		if (f->type[i].user_set && f->type[i].asked != FIELD_SRCLINE)
			return true;
	return false;
}

static void check_choice(const struct script_opts *o, const struct option *options,
			 const char *const usage[])
{
	int nr_views = !!o->script + !!o->generate + o->header_only + o->dump + o->per_event;

	if (o->from_start && o->from_last)
		usage__die(options, usage, "--reltime and --deltatime exclude each other: leave "
					   "out one: leave out one");
	if (o->json && (o->from_start || o->from_last))
		usage__die(options, usage, "--json has the times that were recorded: leave out "
			   "--reltime and --deltatime");
	if (o->per_event && (o->json || nr_views > 1))
		usage__die(options, usage, "--per-event-dump writes the text of samples: leave "
			   "out --json, -s, -g, --header-only and -D");
	if (o->head && (nr_views || o->per_event))
		usage__die(options, usage, "--head counts the samples that are printed: leave out "
			   "--per-event-dump, --header-only, -s, -g and -D");
	if (o->json && o->dump)
		usage__die(options, usage, "--json cannot show bytes: leave out -D");
	if (o->json && (o->script || o->generate))
		usage__die(options, usage, "--json prints the samples itself: leave out -s and -g");
	if (nr_views > 1)
		usage__die(options, usage, "-s, -g, --header-only and -D exclude each other: leave "
					   "out the others: leave out the others");
	if (o->only.events.shows && !o->only.events.on && !o->only.events.off)
		usage__die(options, usage, "--show-on-off-events needs --switch-on or "
			   "--switch-off");
	if (o->script && asks_for_fields(&o->fields))
		usage__die(options, usage, "--script has all fields of a sample: leave out "
			   "--fields, except for -F +srcline");
}

void script_forms__check(const struct script_opts *o, const struct option *options,
			 const char *const usage[], const bool *given)
{
	const char *name;
	enum form form = form_of(o, &name);

	if (form != LIST && form != NAMED)
		check_choice(o, options, usage);
	option_forms__check(&forms, form, name, options, usage, given);
}
