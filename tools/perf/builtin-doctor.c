// SPDX-License-Identifier: GPL-2.0-only
/* perf doctor: what this machine allows, what --defer will choose, what would improve it. */
#include "builtin.h"
#include "util/cli/options.h"
#include "util/doctor/run.h"

static const char *const doctor_usage[] = { "perf doctor", NULL };

int cmd_doctor(int argc, const char **argv)
{
	const struct option options[] = { OPT_END() };

	argc = options__parse(argc, argv, options, doctor_usage, 0);
	if (argc)
		usage__die(options, doctor_usage, "unexpected argument '%s'", argv[0]);
	return doctor__run();
}
