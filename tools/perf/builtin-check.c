// SPDX-License-Identifier: GPL-2.0-only
/* perf check: whether perf was built with something, for scripts. */
#include <string.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/features.h"
#include "util/cli/options.h"
#include "util/cli/reader-confine.h"

static const char *const check_usage[] = {
	"perf check [<options>] feature <feature>[,...]",
	"perf check [<options>] reader",
	NULL
};

int cmd_check(int argc, const char **argv)
{
	bool quiet = false;
	const struct option options[] = {
		OPT_BOOL('q', "quiet", &quiet, "print nothing: the exit status is the result"),
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, check_usage, 0);
	if (argc == 1 && !strcmp(argv[0], "reader"))
		return reader__check(quiet) ? 0 : 1;
	if (!argc || strcmp(argv[0], "feature"))
		usage__die(options, check_usage,
			   "name what to check: 'feature' or 'reader'");
	if (argc < 2)
		usage__die(options, check_usage, "no feature is given");
	if (argc > 2) {
		pr_err("too many arguments: '%s'; put commas between features\n", argv[2]);
		return 255; /* as Linux perf */
	}
	return features__check(argv[1], quiet) ? 0 : 1;
}
