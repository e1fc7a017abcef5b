/* SPDX-License-Identifier: GPL-2.0-only */
/* perf diff: its forms of output, and the options that have no effect on one of them. */
#ifndef PERF_DIFF_FORMS_H
#define PERF_DIFF_FORMS_H

#include "../cli/options.h"
#include "diff.h"

/*
 * Ends the command where an option was given that has no effect on what is printed: a table of the
 * recordings, or with --runs one of the formats.
 * @d: with what other options imply
 * @options, @usage: of the command
 * @given: of options__parse_given()
 */
void diff_forms__check(const struct diff_opts *d, const struct option *options,
		       const char *const usage[], const bool *given);

#endif
