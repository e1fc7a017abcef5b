// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/manual.h"
#include "util/cli/options.h"

static const char *const help_usage[] = { "perf help [<command>]", NULL };

void help__list_commands(void)
{
	const struct command *c;

	printf("\n usage: perf [--version] [--help] [--buildid-dir DIR] COMMAND [ARGS]\n\n");
	printf(" The commands are:\n");
	for (size_t i = 0; (c = perf__command(i)); i++)
		printf("   %-12s %s\n", c->name, c->help);
	printf("\n See 'perf help COMMAND' for more information on a specific command.\n\n");
}

static int show_manual(const char *topic)
{
	int ret = manual__show(topic);

	if (ret == -ENOENT)
		pr_err("there is no manual for '%s'\n", topic);
	else if (ret)
		pr_err("the manual for '%s' cannot be read: %s\n", topic, strerror(-ret));
	return ret ? 1 : 0;
}

int cmd_help(int argc, const char **argv)
{
	const struct option options[] = { OPT_END() };

	argc = options__parse(argc, argv, options, help_usage, 0);
	if (argc > 1)
		usage__die(options, help_usage, "one command at a time");
	if (argc)
		return show_manual(argv[0]);
	help__list_commands();
	return 0;
}
