// SPDX-License-Identifier: GPL-2.0-only
/* perf config: shows and changes settings. */
#include "builtin.h"
#include "util/cli/config-command.h"
#include "util/cli/options.h"

static const char *const config_usage[] = {
	"perf config [--user | --system] [-l | <section.name>[=<value>]...]", NULL
};

int cmd_config(int argc, const char **argv)
{
	struct config_command_opts o = {};
	bool list = false;
	const struct option options[] = {
		OPT_BOOL('l', "list", &list, "print all settings (default)"),
		OPT_BOOL(0, "user", &o.user, "only ~/.perfconfig"),
		OPT_BOOL(0, "system", &o.system, "of the installation's file alone; change that"),
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, config_usage, 0);
	if (o.user && o.system)
		usage__die(options, config_usage, "--user and --system exclude each other");
	if (list && argc)
		usage__die(options, config_usage, "--list takes no names: leave out '%s'", argv[0]);
	o.words = argv;
	o.nr_words = argc;
	return config_command__run(&o);
}
