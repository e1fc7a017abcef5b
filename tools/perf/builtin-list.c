// SPDX-License-Identifier: GPL-2.0-only
/* perf list: the events that can be recorded. */
#include "builtin.h"
#include "util/cli/option-forms.h"
#include "util/list/list.h"

static const char *const list_usage[] = {
	"perf list [<options>] [hw | sw | cache | tracepoint | pmu | <glob>]...", NULL
};

enum form { TEXT = 1, JSON = 2, NAMES = 4 };

int cmd_list(int argc, const char **argv)
{
	struct list_opts o = { .desc = true };
	const struct option options[] = {
		OPT_BOOL('d', "desc", &o.desc, "print descriptions of events (default)"),
		OPT_BOOL('v', "long-desc", &o.long_desc, "print the fields of tracepoints, too"),
		OPT_BOOL(0, "details", &o.details, "print the PMU and configuration of events"),
		OPT_BOOL('j', "json", &o.json, "print a JSON array"),
		OPT_STRING('o', "output", &o.output, "file", "write there instead of to stdout"),
		OPT_STRING(0, "unit", &o.unit, "pmu", "only events of this PMU"),
		OPT_BOOL(0, "raw-dump", &o.raw_dump, "print the names in one line"),
		OPT_END(),
	};

	static const struct option_effect effects[] = {
		{ "desc", TEXT | JSON }, { "long-desc", TEXT | JSON }, { "details", TEXT | JSON },
	};
	const struct option_forms forms = {
		.command = "list", .effects = effects, .nr_effects = ARRAY_SIZE(effects),
		.others = TEXT | JSON | NAMES,
	};
	bool given[ARRAY_SIZE(options)] = {};

	argc = options__parse_given(argc, argv, options, list_usage, 0, given);
	if (o.json && o.raw_dump)
		usage__die(options, list_usage, "--json and --raw-dump exclude each other: leave "
						"out one: leave out one");
	option_forms__check(&forms, o.raw_dump ? NAMES : o.json ? JSON : TEXT,
			    o.raw_dump ? "--raw-dump" : o.json ? "--json" : "the text", options,
			    list_usage, given);
	o.words = argv;
	o.nr_words = argc;
	return list__run(&o);
}
