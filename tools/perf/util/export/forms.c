// SPDX-License-Identifier: GPL-2.0-only
#include "forms.h"

#include <stdio.h>

#include "../cli/option-forms.h"
#include "formats.h"

enum form { FOLDED = 1, WITH_LINES = 2, OTHER = 4 };

static const struct option_effect effects[] = {
	{ "samples", FOLDED }, { "lines", WITH_LINES },
};

static const struct option_forms forms = {
	.command = "data", .effects = effects, .nr_effects = ARRAY_SIZE(effects),
	.others = FOLDED | WITH_LINES | OTHER,
};

void export_forms__check(const struct export_format *format, const struct option *options,
			 const char *const usage[], const bool *given)
{
	static const struct export_format *const with_lines[] = {
		&export_pprof, &export_gecko, &export_otlp,
#ifdef HAVE_SQLITE_SUPPORT
		&export_sqlite,
#endif
	};
	enum form form = format == &export_folded ? FOLDED : OTHER;
	char name[32];

	for (size_t i = 0; i < ARRAY_SIZE(with_lines); i++)
		if (format == with_lines[i])
			form = WITH_LINES;
	snprintf(name, sizeof(name), "--to %s", format->name);
	option_forms__check(&forms, form, name, options, usage, given);
}
