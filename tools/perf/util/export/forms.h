/* SPDX-License-Identifier: GPL-2.0-only */
/* perf data convert: the options that have no effect on a format. */
#ifndef PERF_EXPORT_FORMS_H
#define PERF_EXPORT_FORMS_H

#include "../cli/options.h"
#include "export.h"

/*
 * Ends the command where an option was given that the format has no place for.
 * @options, @usage: of the command
 * @given: of options__parse_given()
 */
void export_forms__check(const struct export_format *format, const struct option *options,
			 const char *const usage[], const bool *given);

#endif
