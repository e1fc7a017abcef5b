// SPDX-License-Identifier: GPL-2.0-only
/* perf unwind: shows how stacks are unwound, and the tables by which they are. */
#include <string.h>

#include "builtin.h"
#include "util/cli/option-forms.h"
#include "util/cli/options.h"
#include "util/pipeline/pipeline.h"
#include "util/unwind-show/show.h"

static const char *const unwind_usage[] = {
	"perf unwind rows [<options>] <file> [<address>|<function>]",
	"perf unwind check <file>",
	"perf unwind sframe [<options>] <file>",
	"perf unwind sample [<options>] <number>",
	"perf unwind stats [<options>]",
	"perf unwind chains [<options>]",
	"perf unwind cache [clear]",
	NULL,
};

static const struct {
	const char *verb;
	enum unwind_show_what what;
	int nr_min, nr_max; /* words behind it */
} verbs[] = {
	{ "rows", UNWIND_SHOW_ROWS, 1, 2 }, { "check", UNWIND_SHOW_CHECK, 1, 1 },
	{ "sframe", UNWIND_SHOW_SFRAME, 1, 1 }, { "sample", UNWIND_SHOW_SAMPLE, 1, 1 },
	{ "stats", UNWIND_SHOW_STATS, 0, 0 }, { "chains", UNWIND_SHOW_CHAINS, 0, 0 },
	{ "cache", UNWIND_SHOW_CACHE, 0, 1 },
};

#define FORM(what) (1u << UNWIND_SHOW_##what)
#define RECORDINGS (FORM(SAMPLE) | FORM(STATS) | FORM(CHAINS))

static const struct option_effect effects[] = {
	{ "input", RECORDINGS }, { "unwind", RECORDINGS | FORM(ROWS) },
	{ "no-unwind-cache", RECORDINGS | FORM(ROWS) }, { "symfs", RECORDINGS },
	{ "force", RECORDINGS }, { "output", FORM(SFRAME) }, { "section", FORM(SFRAME) },
	{ "format", FORM(SFRAME) },
};

static const struct option_forms forms = {
	.command = "unwind", .effects = effects, .nr_effects = ARRAY_SIZE(effects),
};

/* Returns whether the words say what to show. */
static bool take_words(struct unwind_show_opts *o, int argc, const char **argv)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(verbs) && (!argc || strcmp(argv[0], verbs[i].verb)))
		i++;
	if (i == ARRAY_SIZE(verbs) || argc - 1 < verbs[i].nr_min || argc - 1 > verbs[i].nr_max)
		return false;
	o->what = verbs[i].what;
	if (o->what == UNWIND_SHOW_CACHE && argc == 2) {
		o->what = UNWIND_SHOW_CLEAR;
		return !strcmp(argv[1], "clear");
	}
	if (o->what == UNWIND_SHOW_SAMPLE)
		return parse_u64(argv[1], &o->number) && o->number;
	o->path = argc > 1 ? argv[1] : NULL;
	o->where = argc > 2 ? argv[2] : NULL;
	return true;
}

int cmd_unwind(int argc, const char **argv)
{
	struct unwind_show_opts o = {};
	const struct option options[] = {
		OPT_STRING('i', "input", &o.input, "file", "read this recording (- is stdin)"),
		OPT_UNWIND_SOURCES(o.unwind),
		OPT_NO_UNWIND_CACHE(o.symbols.binary),
		OPT_SYMFS(o.symbols.binary),
		OPT_BOOL('f', "force", &o.force, "read recordings that belong to other users"),
		OPT_GROUP("Of 'sframe':"),
		OPT_STRING('o', "output", &o.sframe.output, "file",
			   "write a copy of the binary with the section"),
		OPT_BOOL(0, "section", &o.sframe.alone,
			 "write only the section, for objcopy --add-section"),
		OPT_UINT(0, "format", &o.sframe.version, "2|3",
			 "version of the SFrame format (default: 3)"),
		OPT_END(),
	};
	bool given[ARRAY_SIZE(options)] = {}, shown;

	argc = options__parse_given(argc, argv, options, unwind_usage, 0, given);
	shown = take_words(&o, argc, argv);
	if (o.sframe.version && o.sframe.version != 2 && o.sframe.version != 3)
		usage__die(options, unwind_usage, "--format: SFrame has the versions 2 and 3");
	if (!shown)
		usage__die(options, unwind_usage, "name what to show: 'rows', 'check' or 'sframe' "
						  "and a file, 'sample' and a number from 1, "
						  "'stats', 'chains', or 'cache'");
	option_forms__check(&forms, 1u << o.what, argv[0], options, unwind_usage, given);
	return unwind_show__run(&o);
}
