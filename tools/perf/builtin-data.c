// SPDX-License-Identifier: GPL-2.0-only
/* perf data: bundles of a recording with what it takes to read it; other formats. */
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/bundle/command.h"
#include "util/cli/options.h"
#include "util/cli/other-perf.h"

#define LEVEL 3

static const char *const data_usage[] = {
	"perf data bundle [<options>]",
	"perf data convert --to <format> [<options>]",
	"perf data push --url <url> [<options>]",
	"perf data <command of another perf>",
	NULL,
};

static int bundle(int argc, const char **argv)
{
	struct bundle_command_opts c = { .input = "perf.data", .level = LEVEL };
	char *output = NULL;
	bool quiet = false;
	int verbose = 0, ret;
	const struct option options[] = {
		OPT_STRING('i', "input", &c.input, "file", "the recording"),
		OPT_STRING('o', "output", &c.output, "file", "the bundle; by default INPUT.bundle"),
		OPT_UINT('z', "compression-level", &c.level, "n", "of zstd, 1 to 19 (3)"),
		OPT_SYMFS(c.symbols.binary),
		OPT_STRING('k', "vmlinux", &c.symbols.vmlinux, "file",
			   "the recorded kernel, with debug information"),
		OPT_BOOL(0, "no-kernel-debug", &c.no_kernel_debug,
			 "leave out the debug files of the kernel and its modules"),
		OPT_BOOL('f', "force", &c.force, "read recordings that belong to other users"),
		OPT_BOOL('q', "quiet", &quiet, "print errors only"),
		OPT_INCR('v', "verbose", &verbose, "print more messages"),
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, data_usage, 0);
	if (argc)
		usage__die(options, data_usage, "unexpected argument '%s': name files with -i and "
			   "-o", argv[0]);
	if (c.level < 1 || c.level > 19)
		usage__die(options, data_usage, "-z %u is not a level of zstd (1 to 19)", c.level);
	log__set_level(quiet ? LOG_QUIET : verbose);
	if (!c.output)
		c.output = output = xasprintf("%s.bundle", c.input);
	ret = bundle_command__run(&c);
	free(output);
	return ret;
}

/* `perf data ls` and the like. */
static int run_other(int argc, const char **argv)
{
	const char **all = xcalloc(argc + 2, sizeof(*all));
	int ret;

	all[0] = "perf";
	memcpy(all + 1, argv, argc * sizeof(*all));
	ret = other_perf__become(all);
	pr_err("'perf data %s' is a command of Linux perf that this perf does not have%s\n",
	       argv[1], ret == -ENOENT ? ", and there is no other perf in PATH to run it" : "");
	free(all);
	return 1;
}

int cmd_data(int argc, const char **argv)
{
	const struct option none[] = { OPT_END() };

	if (argc == 1)
		usage__die(none, data_usage, "name a command: bundle, convert or push");
	if (!strcmp(argv[1], "bundle"))
		return bundle(argc - 1, argv + 1);
	if (!strcmp(argv[1], "convert"))
		return data__convert(argc - 1, argv + 1);
	if (!strcmp(argv[1], "push"))
		return data__push(argc - 1, argv + 1);
	if (argv[1][0] != '-')
		return run_other(argc, argv);
	return bundle(argc, argv);
}
