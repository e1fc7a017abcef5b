// SPDX-License-Identifier: GPL-2.0-only
/* The command table, nothing else. */
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "util/base/mapfile.h"

static const struct command {
	const char *name;
	int (*run)(int argc, const char **argv);
	const char *help;
} commands[] = {
	{ "help", cmd_help, "Display help information" },
};

int cmd_help(int argc, const char **argv)
{
	(void)argc;
	(void)argv;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		printf("   %-12s %s\n", commands[i].name, commands[i].help);
	return 0;
}

int main(int argc, const char **argv)
{
	mapfile__init();
	if (argc > 1)
		for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
			if (!strcmp(commands[i].name, argv[1]))
				return commands[i].run(argc - 1, argv + 1);
	return cmd_help(0, NULL);
}
