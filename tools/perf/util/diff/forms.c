// SPDX-License-Identifier: GPL-2.0-only
#include "forms.h"

#include "../cli/option-forms.h"

enum form {
	TABLE = 1,
	TEXT = 2,     /* of --runs, as are the others */
	MARKDOWN = 4,
	JSON = 8,
};

#define RUNS (TEXT | MARKDOWN | JSON)

static const struct option_effect effects[] = {
	{ "baseline-only", TABLE }, { "compute", TABLE }, { "formula", TABLE }, { "order", TABLE },
	{ "period", TABLE }, { "percentage", TABLE }, { "field-separator", TABLE },
	{ "paired", RUNS }, { "paths", RUNS }, { "normalize", RUNS }, { "fail-if", RUNS },
	{ "format", RUNS }, { "confidence", RUNS }, { "limit", TEXT | MARKDOWN }, { "all", RUNS },
};

static const struct option_forms forms = {
	.command = "diff", .effects = effects, .nr_effects = ARRAY_SIZE(effects),
	.others = TABLE | RUNS,
};

void diff_forms__check(const struct diff_opts *d, const struct option *options,
		       const char *const usage[], const bool *given)
{
	static const struct { enum form form; const char *name; } of[] = {
		[DIFF_TEXT] = { TEXT, "--runs" },
		[DIFF_MARKDOWN] = { MARKDOWN, "--format markdown" },
		[DIFF_JSON] = { JSON, "--format json" },
	};

	if (d->runs)
		option_forms__check(&forms, of[d->changes.format].form, of[d->changes.format].name,
				    options, usage, given);
	else
		option_forms__check(&forms, TABLE, "a comparison without --runs", options, usage,
				    given);
}
