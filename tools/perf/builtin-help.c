// SPDX-License-Identifier: GPL-2.0-only
/* perf help: the list of commands, and manual pages. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/manual.h"
#include "util/cli/options.h"
#include "util/cli/other-perf.h"

static const char *const help_usage[] = { "perf help [<command>]", NULL };

void help__list_commands(const struct command *commands)
{
	char path[PATH_MAX];

	printf("\n usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]\n\n");
	printf(" The commands are:\n");
	for (const struct command *c = commands; c->name; c++)
		printf("   %-14s %s\n", c->name, c->help);
	if (other_perf__find(path))
		printf("\n Other commands of Linux perf (stat, trace, ...) are passed on to "
		       "%s.\n", path);
	printf("\n 'perf help COMMAND' shows the manual of a command, 'perf COMMAND -h' its "
	       "options.\n\n");
}

static bool is_ours(const struct command *commands, const char *name, size_t len)
{
	for (const struct command *c = commands; c->name; c++)
		if (strlen(c->name) == len && !strncmp(c->name, name, len))
			return true;
	return false;
}

void help__list_names(const struct command *commands)
{
	char *others = other_perf__commands();
	for (const struct command *c = commands; c->name; c++)
		printf("%s ", c->name);
	for (const char *p = others; p && *p;) {
		size_t len;

		p += strspn(p, " \t\n");
		len = strcspn(p, " \t\n");
		if (len && !is_ours(commands, p, len))
			printf("%.*s ", (int)len, p);
		p += len;
	}
	printf("\n");
	free(others);
}

static int show_manual(const char *topic)
{
	const char *const there[] = { "perf", "help", topic, NULL };
	int ret = manual__show(topic);

	if (ret == -ENOENT && other_perf__is_known(topic))
		other_perf__become(there);
	if (ret == -ENOENT)
		pr_err("there is no manual page for '%s': 'perf help' lists the commands\n", topic);
	else if (ret)
		pr_err("cannot read the manual page of '%s': %s\n", topic, strerror(-ret));
	return ret ? 1 : 0;
}

int help__run(const struct command *commands, int argc, const char **argv)
{
	const struct option options[] = { OPT_END() };

	argc = options__parse(argc, argv, options, help_usage, 0);
	if (argc > 1)
		usage__die(options, help_usage, "name one command only");
	if (argc)
		return show_manual(argv[0]);
	help__list_commands(commands);
	return 0;
}
