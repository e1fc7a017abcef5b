// SPDX-License-Identifier: GPL-2.0-only
#include "../base/log.h"
#include "../data/writer.h"
#include "comp-level.h"

int comp_level__parse(const struct option *opt, const char *arg, bool unset)
{
	int *level = opt->value;
	u64 n = 0;

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
