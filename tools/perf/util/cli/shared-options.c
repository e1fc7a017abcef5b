// SPDX-License-Identifier: GPL-2.0-only
#include "shared-options.h"

#include <stdlib.h>
#include <string.h>

#include "../base/log.h"
#include "../base/mem.h"
#include "../data/writer.h"

int comp_level__parse(const struct option *opt, const char *arg, bool unset)
{
	int *level = opt->value;
	u64 n = 0;

	/* cargo flamegraph writes -z=3. */
	if (arg && *arg == '=')
		arg++;
	if (arg && !parse_u64(arg, &n)) {
		pr_err("-z%s: a level is a number from 1 to %d\n", arg, COMP_LEVEL_MAX);
		return -1;
	}
	if (arg || unset)
		*level = min_of(n, (u64)COMP_LEVEL_MAX);
	else
		*level = COMP_LEVEL_FITTED;
	return 0;
}

int unwind_style__parse(const struct option *opt, const char *arg, bool unset)
{
	char *copy = xstrdup(unset ? "" : arg), *rest = copy, *name;
	const char **sources = opt->value;
	int ret = 0;

	*sources = NULL;
	while (!ret && (name = strsep(&rest, ","))) {
		if (!strcmp(name, "libdw")) {
			*sources = "libdw";
		} else if (*name && strcmp(name, "libunwind")) {
			pr_err("unknown unwind style '%s': there is libdw\n", name);
			ret = -1;
		}
	}
	free(copy);
	if (!ret && !unset && !*sources) {
		pr_err("perf does not use libunwind: --unwind-style libdw, or --unwind\n");
		ret = -1;
	}
	return ret;
}
