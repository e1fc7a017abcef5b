// SPDX-License-Identifier: GPL-2.0-only
/* perf inject: writes a recording again with what it lacks. */
#include "builtin.h"
#include "builtin-refused.h"
#include "util/base/log.h"
#include "util/cli/options.h"
#include "util/inject/command.h"

static const char *const inject_usage[] = { "perf inject [<options>]", NULL };

int cmd_inject(int argc, const char **argv)
{
	struct inject_command_opts o = { .input = "-" };
	int verbose = 0;
	const struct option options[] = {
		OPT_STRING('i', "input", &o.input, "file",
			   "read this recording (- is stdin, the default)"),
		OPT_STRING('o', "output", &o.inject.output, "file",
			   "write to this file (- is stdout, the default)"),
		OPT_BOOL('j', "jit", &o.inject.jit,
			 "put the code of jitdump files into the recording, as ELF files beside "
			 "these"),
		OPT_BOOL('b', "build-ids", &o.inject.build_ids,
			 "put the build-ids of binaries that samples hit into the header"),
		OPT_BOOL('f', "force", &o.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &verbose, "print more messages"),
		INJECT_REFUSED_OPTIONS,
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, inject_usage, 0);
	if (argc)
		usage__die(options, inject_usage, "unexpected argument '%s': name files with -i "
			   "and -o", argv[0]);
	log__set_level(verbose);
	return inject_command__run(&o);
}
