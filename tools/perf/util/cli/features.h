/* SPDX-License-Identifier: GPL-2.0-only */
/* perf check feature: whether perf was built with something, for scripts. */
#ifndef PERF_CLI_FEATURES_H
#define PERF_CLI_FEATURES_H

#include "../../../lib/unwind/core/types.h"

/*
 * Prints a line for each.
 * @list: names of features with commas between them
 * @quiet: nothing is printed
 * Returns: whether each of them is there.
 */
bool features__check(const char *list, bool quiet);

#endif
