// SPDX-License-Identifier: GPL-2.0-only
/* The command table, nothing else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/base/mapfile.h"
#include "util/base/mem.h"
#include "util/base/suggest.h"
#include "util/cli/manual.h"

/* Sorted by name. */
static const struct command commands[] = {
	{ "bench", cmd_bench, "Measure how fast perf itself is" },
	{ "help", cmd_help, "Show the manual of a command" },
	{ "record", cmd_record, "Sample a command or the system into perf.data" },
	{ "report", cmd_report, "Show where the samples of a recording fell" },
	{ "script", cmd_script, "Print a recording as lines of text" },
	{ "stitch", cmd_stitch, "Make the callchains of a recording whole" },
	{ "test", cmd_test, "Run the tests" },
	{ "unwind", cmd_unwind, "Look into how stacks are unwound" },
	{ "version", cmd_version, "Show the version and what perf was built with" },
};

const struct command *perf__command(size_t i)
{
	return i < ARRAY_SIZE(commands) ? &commands[i] : NULL;
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static int run_command(const struct command *c, int argc, const char **argv)
{
	bool asks = argc > 1 && !strcmp(argv[1], "--help");
	/* Where the manual was not installed, the command prints its options. */
	int ret = asks && !manual__show(c->name) ? 0 : c->run(argc, argv);

	/* A report that did not fit on the disk must not look like success. */
	if (fflush(stdout) || ferror(stdout)) {
		pr_err("cannot write to standard output: %s\n", strerror(errno));
		return ret ? ret : 1;
	}
	return ret;
}

/* `perf foo` runs perf-foo from PATH, so that anybody can add a command. */
static int run_external(const char **argv)
{
	char *path = xasprintf("perf-%s", argv[0]), near[256];
	struct suggest suggest = {};

	execvp(path, (char *const *)argv);
	free(path);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		suggest__try(&suggest, argv[0], strlen(argv[0]), commands[i].name);
	suggest__print(&suggest, "", near, sizeof(near));
	fprintf(stderr, "perf: '%s' is not a perf command%s See 'perf --help'.\n", argv[0],
		*near ? near : ".");
	return 1;
}

/*
 * Installed as perf-NAME beside another perf, which runs that for `perf NAME`, this is the
 * command NAME alone.
 */
static const struct command *command_of_name(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');
	const char *base = slash ? slash + 1 : argv0;

	return strncmp(base, "perf-", 5) ? NULL : find_command(base + 5);
}

/* What argv[0], the first word of the command line, does when it is no command. */
static int run_other(int argc, const char **argv)
{
	if (!argc) {
		help__list_commands();
		return 1;
	}
	if (argv[0][0] == '-') {
		fprintf(stderr, "perf: unknown option '%s'\n\n", argv[0]);
		help__list_commands();
		return 129;
	}
	return run_external(argv);
}

/* Options of all commands. How many words they are; -1 with words on stderr. */
static int take_options(int argc, const char **argv)
{
	int nr = 0;

	for (; nr < argc && !strcmp(argv[nr], "--buildid-dir"); nr += 2) {
		if (nr + 1 == argc) {
			fprintf(stderr, "perf: --buildid-dir needs a directory\n");
			return -1;
		}
		/* As another perf says it to the perf-COMMANDs that it runs. */
		setenv("PERF_BUILDID_DIR", argv[nr + 1], 1);
	}
	return nr;
}

int main(int argc, const char **argv)
{
	int options;
	const struct command *c;

	mapfile__init();
	c = argc ? command_of_name(argv[0]) : NULL;
	if (!c && argc) {
		options = take_options(argc - 1, argv + 1);
		if (options < 0)
			return 129;
		argc -= 1 + options;
		argv += 1 + options;
	}
	if (!c && argc) {
		if (!strcmp(argv[0], "-h") || !strcmp(argv[0], "--help"))
			argv[0] = "help";
		else if (!strcmp(argv[0], "-v") || !strcmp(argv[0], "-vv") ||
			 !strcmp(argv[0], "--version"))
			argv[0] = "version";
		c = find_command(argv[0]);
	}
	return c ? run_command(c, argc, argv) : run_other(argc, argv);
}
