// SPDX-License-Identifier: GPL-2.0-only
#include "unwind-style.h"

#include <stdlib.h>
#include <string.h>

#include "../base/log.h"
#include "../base/mem.h"

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
