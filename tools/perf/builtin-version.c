// SPDX-License-Identifier: GPL-2.0-only
/* perf version: the version, and the libraries that it was built with. */
#include <stdio.h>

#include "builtin.h"
#include "util/base/version.h"
#include "util/cli/options.h"

static const char *const version_usage[] = { "perf version [<options>]", NULL };

int cmd_version(int argc, const char **argv)
{
	bool build_options = false;
	const struct option options[] = {
		OPT_BOOL(0, "build-options", &build_options, "show what perf was built with"),
		OPT_END(),
	};
	const struct build_option *o;

	argc = options__parse(argc, argv, options, version_usage, 0);
	if (argc)
		usage__die(options, version_usage, "unexpected argument '%s'", argv[0]);
	printf("perf version %s\n", perf__version());
	for (size_t i = 0; build_options && (o = perf__build_option(i)); i++)
		build_option__print(o);
	return 0;
}
