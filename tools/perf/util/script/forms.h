/* SPDX-License-Identifier: GPL-2.0-only */
/* perf script: its forms of output, and the options that have no effect on one of them. */
#ifndef PERF_SCRIPT_FORMS_H
#define PERF_SCRIPT_FORMS_H

#include "../cli/options.h"
#include "script.h"

/*
 * Ends the command where options exclude each other, or one was given that has no effect on the
 * form of output that others choose.
 * @options, @usage: of the command
 * @given: of options__parse_given()
 */
void script_forms__check(const struct script_opts *o, const struct option *options,
			 const char *const usage[], const bool *given);

#endif
