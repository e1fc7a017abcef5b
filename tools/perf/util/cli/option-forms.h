/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command that shows the same in several forms, and the options that have an effect on each: an
 * option that has none on the form that others choose is refused, not ignored in silence. Options
 * that say where binaries and names are fit all forms that may need them.
 */
#ifndef PERF_CLI_OPTION_FORMS_H
#define PERF_CLI_OPTION_FORMS_H

#include "options.h"

struct option_effect {
	const char *option; /* its long name */
	u32 forms;          /* on which it has an effect: bits of the command's own */
};

struct option_forms {
	const char *command;                 /* whose settings do not count as given: "script" */
	const struct option_effect *effects;
	size_t nr_effects;
	u32 others;                          /* forms that fit options which are not in .effects */
};

/*
 * Ends the command where an option was given that has no effect.
 * @form: the one bit of the form that is shown
 * @name: of the form, for messages: "--json"
 * @options, @usage: of the command
 * @given: of options__parse_given()
 */
void option_forms__check(const struct option_forms *f, u32 form, const char *name,
			 const struct option *options, const char *const usage[],
			 const bool *given);

#endif
