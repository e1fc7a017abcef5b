/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changing settings in a file: `perf config a.b=c`. Other perfs write the whole file anew, without
 * its comments; here nothing else of the file changes, and it is replaced at once.
 */
#ifndef PERF_CLI_CONFIG_FILE_H
#define PERF_CLI_CONFIG_FILE_H

#include "../base/error.h"
#include "config.h"

/*
 * Returns: the name of the user's file, ~/.perfconfig or $PERF_CONFIG, or with @system that of the
 *         installation; for free(). NULL with words in @err: there is none.
 */
char *config_file__name(bool system, struct error *err);

/*
 * Sets a setting in a file, which is made if it is not there: the last line with its name is
 * replaced, or a line is added to its section, or a section at the end.
 * @path: the file
 * @name: "section.name"; or "section.Any text.name", whose text is put in quotes
 * @value: without control characters but tabs
 * Returns: 0; -errno with words: also for another name or value, and a file that is not understood.
 */
int config_file__set(const char *path, const char *name, const char *value, struct error *err);

#endif
