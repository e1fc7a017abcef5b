// SPDX-License-Identifier: GPL-2.0-only
#include "option-forms.h"

#include <stdio.h>
#include <string.h>

#include "config-options.h"
#include "usage.h"

static bool has_effect(const struct option_forms *f, const char *option, u32 form)
{
	for (size_t i = 0; i < f->nr_effects; i++)
		if (!strcmp(f->effects[i].option, option))
			return f->effects[i].forms & form;
	return f->others & form;
}

void option_forms__check(const struct option_forms *f, u32 form, const char *name,
			 const struct option *options, const char *const usage[],
			 const bool *given)
{
	struct config config;
	char about[128];

	config__load(&config, NULL);
	for (const struct option *o = options; o->type != OPTION_END; o++) {
		if (!given[o - options] || !o->long_name || has_effect(f, o->long_name, form) ||
		    config__stands_for(&config, f->command, o->long_name))
			continue;
		snprintf(about, sizeof(about), "--%s %s", o->long_name, name);
		usage__die_about(options, usage, about, "--%s has no effect on what %s shows: "
							"leave out one of "
							"them", o->long_name, name);
	}
	config__free(&config);
}
