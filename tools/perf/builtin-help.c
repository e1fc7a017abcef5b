// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/exec-path.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"

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

/*
 * The text is shown rather than the manual page: it is there without troff, and `man perf-record`
 * may well be the page of another perf.
 */
static int show_manual(const char *topic)
{
	char name[NAME_MAX], path[PATH_MAX], line[1024];
	bool is_perf = !strcmp(topic, "perf");
	FILE *f;

	snprintf(name, sizeof(name), "Documentation/perf%s%s.txt", is_perf ? "" : "-",
		 is_perf ? "" : topic);
	if (strchr(topic, '/') || exec_path__find(name, path, sizeof(path))) {
		pr_err("there is no manual for '%s'\n", topic);
		return 1;
	}
	f = fopen(path, "re");
	if (!f) {
		pr_err("%s: %s\n", path, strerror(errno));
		return 1;
	}
	pager__start();
	while (fgets(line, sizeof(line), f))
		fputs(line, stdout);
	fclose(f);
	pager__wait();
	return 0;
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
