/* SPDX-License-Identifier: GPL-2.0-only */
/* perf script NAME, record NAME, report NAME, --list. */
#ifndef PERF_SCRIPT_NAMED_RUN_H
#define PERF_SCRIPT_NAMED_RUN_H

#include "../base/error.h"

/* Prints the scripts that are installed. Returns: the exit status. */
int script_named__list(void);

/*
 * Runs an installed script, with programs that find this perf as "perf".
 * @args: what the command line has behind the options: "record NAME ...", "report NAME ..." or
 *        "NAME ..."; ends with NULL
 * @input: the recording to read, or NULL
 * Returns: the exit status; -errno with words when there is no such script.
 */
int script_named__run(const char *const *args, const char *input, struct error *err);

#endif
