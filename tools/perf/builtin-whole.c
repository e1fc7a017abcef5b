// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf whole: the way to this perf for people who keep another one. perf.c turns its lines into
 * those of other commands; what is left is the help.
 */
#include "builtin.h"
#include "util/cli/options.h"

static const char *const whole_usage[] = {
	"perf whole [<record options>] [--] <program> [<options>]",
	"perf whole [<record options>] -a|-p <pid>",
	"perf whole <command> [<options>]",
	NULL
};

int cmd_whole(int argc, const char **argv)
{
	const struct option options[] = { OPT_END() };

	options__parse(argc, argv, options, whole_usage, 0);
	usage__die(options, whole_usage, "nothing to record: name a program, -p or -a, or a "
					 "command");
}
