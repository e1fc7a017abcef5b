/* SPDX-License-Identifier: GPL-2.0-only */
/* perf report: its forms of output, and the options that have no effect on one of them. */
#ifndef PERF_REPORT_FORMS_H
#define PERF_REPORT_FORMS_H

#include "../cli/options.h"
#include "report.h"

/*
 * Ends the command where options exclude each other, or one was given that has no effect on the
 * form of output that others choose: it is not ignored in silence. Those that say where binaries
 * and names are, how instructions look, or that have no effect at all, fit all forms; so do
 * settings, and columns that a form has anyway.
 * @options, @usage: of the command
 * @given: of options__parse_given()
 */
void report_forms__check(const struct report_opts *o, const struct option *options,
			 const char *const usage[], const bool *given);

#endif
