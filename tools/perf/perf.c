// SPDX-License-Identifier: GPL-2.0-only
/* The table of commands, and the choice of the command to run. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/io/mapfile.h"
#include "util/base/mem.h"
#include "util/base/suggest.h"
#include "util/cli/config-options.h"
#include "util/cli/exec-path.h"
#include "util/cli/global-options.h"
#include "util/cli/manual.h"
#include "util/cli/other-perf.h"
#include "util/cli/pager.h"
#include "util/event/all-events.h"

static int run_help(int argc, const char **argv);

/* Sorted by name. */
static const struct command commands[] = {
	{ "annotate", cmd_annotate, "Show the instructions and source lines of functions", NULL },
	{ "archive", cmd_archive, "Pack the binaries of a recording that are in the build-id cache",
	  NULL },
	{ "bench", cmd_bench, "Measure the speed of perf itself", "stitch unwind" },
	{ "buildid-cache", cmd_buildid_cache, "Keep binaries in the build-id cache", NULL },
	{ "buildid-list", cmd_buildid_list, "List the build-ids of a recording", NULL },
	{ "check", cmd_check, "Tell whether perf was built with a feature", "feature" },
	{ "config", cmd_config, "Show and change settings in ~/.perfconfig", NULL },
	{ "data", cmd_data, "Pack a recording, write it in another format, or send it",
	  "bundle convert push" },
	{ "diff", cmd_diff, "Compare the profiles of recordings, and tell change from chance",
	  NULL },
	{ "doctor", cmd_doctor, "Tell what this machine allows, and what would improve it", NULL },
	{ "evlist", cmd_evlist, "List the events of a recording", NULL },
	{ "help", run_help, "Show the manual page of a command", NULL },
	{ "inject", cmd_inject, "Put the code of JIT compilers into a recording", NULL },
	{ "list", cmd_list, "List the events that can be recorded", NULL },
	{ "record", cmd_record, "Record samples of a command or the system into perf.data", NULL },
	{ "report", cmd_report, "Count the samples of a recording by function", NULL },
	{ "script", cmd_script, "Print each sample of a recording as text", NULL },
	{ "stitch", cmd_stitch, "Complete the user callchains of a recording", NULL },
	{ "test", cmd_test, "Run perf's own tests", "list" },
	{ "top", cmd_top, "Show where time goes now, in the system or a process", NULL },
	{ "unwind", cmd_unwind, "Show how stacks are unwound, and why they end",
	  "cache check rows sample stats" },
	{ "version", cmd_version, "Show perf's version and build options", NULL },
	{ "whole", cmd_whole, "Record whole user stacks; run commands of this perf beside another",
	  NULL },
	{},
};

static int run_help(int argc, const char **argv)
{
	return help__run(commands, argc, argv);
}

static const struct command *find_command(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

static int run_command(const struct command *c, int argc, const char **argv)
{
	bool asks = argc > 1 && !strcmp(argv[1], "--help");
	/* If the manual is not installed, the command prints its options. */
	int ret = asks && !manual__show(c->name) ? 0 : c->run(argc, argv);

	/* Output that did not fit on the disk is a failure. */
	if (fflush(stdout) || ferror(stdout)) {
		pr_err("cannot write to standard output: %s\n", strerror(errno));
		return ret ? ret : 1;
	}
	return ret;
}

/* Runs a command with the settings of the user. */
static int set_up_and_run(const struct command *c, bool paginate, int argc, const char **argv)
{
	struct config config;
	int ret;

	/* For completion. */
	if (argc == 2 && !strcmp(argv[1], "--list-cmds")) {
		if (c->run == run_help)
			help__list_names(commands);
		else
			printf("%s\n", c->words ?: "");
		return 0;
	}
	config__load(&config, pr_warn);
	config__set_places(&config);
	if (c->run != cmd_record) /* which gives its environment to programs */
		config__set_servers(&config);
	/* A program that is recorded has pagers of its own. */
	if (c->run != cmd_record && config__set_pager(&config, c->name))
		paginate = true;
	argv = config__add_options(&config, &argc, argv, pr_warn);
	if (paginate)
		pager__start();
	ret = run_command(c, argc, argv);
	config__free(&config);
	free(argv);
	return ret;
}

/*
 * `perf whole [OPTIONS] -- PROGRAM` is `perf record -g --defer` with these, and `perf whole
 * COMMAND` that command, for people whose `perf` is another one.
 */
static int run_whole(bool paginate, int argc, const char **argv)
{
	const char *word = argc > 1 ? argv[1] : "-h";
	const struct command *c = find_command(strcmp(word, "--version") ? word : "version");
	bool named = c && c->run != cmd_whole;
	bool deepens = !named || c->run == cmd_record || c->run == cmd_top;
	int skipped = named ? 2 : 1, nr = 1, ret;
	const char **line;

	if (argc < 2 || !strcmp(word, "-h") || !strcmp(word, "--help"))
		return set_up_and_run(find_command("whole"), paginate, argc, argv);
	c = named ? c : find_command("record");
	line = xcalloc(argc + 3, sizeof(*line));
	line[0] = c->name;
	if (deepens) {
		line[nr++] = "-g";
		line[nr++] = "--defer";
	}
	memcpy(line + nr, argv + skipped, (argc - skipped) * sizeof(*line));
	ret = set_up_and_run(c, paginate, nr + argc - skipped, line);
	free(line);
	return ret;
}

static int run_found(const struct command *c, bool paginate, int argc, const char **argv)
{
	if (c->run == cmd_whole)
		return run_whole(paginate, argc, argv);
	return set_up_and_run(c, paginate, argc, argv);
}

static void list_events(void)
{
	all_events names = {};

	all_events__list(&names);
	for (size_t i = 0; i < names.nr; i++)
		if (names.v[i].kind != EVENT_CACHE && names.v[i].kind < EVENT_RAW)
			printf("%s ", names.v[i].name);
	printf("\n");
	all_events__free(&names);
}

static void say_unknown(const char *name)
{
	struct suggest suggest = {}, there = {};
	char near[256], path[PATH_MAX];
	bool other = other_perf__find(path);
	const char *known;

	if (other_perf__is_known(name)) {
		fprintf(stderr, "perf: '%s' is a command of Linux perf that this perf does not "
			"have, and there is no other perf in PATH to run it.\n", name);
		return;
	}
	for (const struct command *c = commands; c->name; c++)
		suggest__try(&suggest, name, strlen(name), c->name);
	for (size_t i = 0; other && (known = other_perf__known(i)); i++)
		suggest__try(&there, name, strlen(name), known);
	if (!suggest.nr || (there.nr && there.distance[0] < suggest.distance[0]))
		suggest = there;
	suggest__print(&suggest, "", near, sizeof(near));
	fprintf(stderr, "perf: '%s' is not a perf command%s See 'perf --help'.\n", name,
		*near ? near : ".");
}

/* Whether another perf has the command, or might have it. */
static bool is_of_other_perf(const char *name)
{
	char *list, *next, *word;
	bool found = false;

	if (other_perf__is_known(name))
		return true;
	next = list = other_perf__commands();
	while (!found && (word = strsep(&next, " \t\n")))
		found = *word && !strcmp(word, name);
	free(list);
	return found;
}

/*
 * `perf foo` runs perf-foo from PATH, so that commands can be added, or another perf that has foo.
 * @all is the whole command line, @argv the part that begins with foo.
 */
static int run_external(const char **all, const char **argv)
{
	const char *name = argv[0];
	int ret = other_perf__become_extension(argv);

	if (ret == -ENOENT && is_of_other_perf(name))
		ret = other_perf__become(all);
	if (ret == -ENOENT) {
		say_unknown(name);
		return 1;
	}
	pr_err("cannot run '%s': %s\n", name, strerror(-ret));
	return 126;
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

/* Answers options that replace the command. */
static int answer(enum global_ask ask)
{
	char path[PATH_MAX];

	switch (ask) {
	case ASK_EXEC_PATH:
	case ASK_HTML_PATH:
		exec_path__find("Documentation", path, sizeof(path));
		if (ask == ASK_EXEC_PATH)
			*strrchr(path, '/') = '\0';
		printf("%s\n", path);
		return 0;
	case ASK_COMMANDS:
		help__list_names(commands);
		return 0;
	case ASK_OPTIONS:
		global_options__list();
		return 0;
	case ASK_EVENTS:
		list_events();
		return 0;
	case ASK_NOTHING:
		break;
	}
	help__list_commands(commands);
	return 1;
}

/* The command that an option stands for. */
static const char *name_of_option(const char *word)
{
	if (!strcmp(word, "-h") || !strcmp(word, "--help"))
		return "help";
	return !strcmp(word, "-v") || !strcmp(word, "--version") ? "version" : word;
}

static int run_line(int argc, const char **argv)
{
	const char *more_version[] = { "version", "--build-options", NULL };
	struct global_options global;
	int nr = 1 + global_options__take(&global, argc - 1, argv + 1);
	const char **rest = argv + nr;
	const struct command *c;

	if (!nr)
		return 129;
	if (global.ask || nr == argc)
		return answer(global.ask);
	if (!strcmp(rest[0], "-vv"))
		return set_up_and_run(find_command("version"), global.paginate, 2, more_version);
	rest[0] = name_of_option(rest[0]);
	c = find_command(rest[0]);
	if (c)
		return run_found(c, global.paginate, argc - nr, rest);
	if (rest[0][0] != '-')
		return run_external(argv, rest);
	fprintf(stderr, "perf: unknown option '%s'\n\n", rest[0]);
	help__list_commands(commands);
	return 129;
}

int main(int argc, const char **argv)
{
	const struct command *c;

	mapfile__init();
	if (!argc)
		return answer(ASK_NOTHING);
	c = command_of_name(argv[0]);
	if (!c)
		return run_line(argc, argv);
	argv[0] = c->name;
	return run_found(c, false, argc, argv);
}
