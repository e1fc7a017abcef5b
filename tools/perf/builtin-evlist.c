// SPDX-License-Identifier: GPL-2.0-only
/* perf evlist: the events of a recording. */
#include "builtin.h"
#include "util/cli/options.h"
#include "util/list/evlist.h"

static const char *const evlist_usage[] = { "perf evlist [<options>]", NULL };

int cmd_evlist(int argc, const char **argv)
{
	struct evlist_opts o = {};
	const struct option options[] = {
		OPT_STRING('i', "input", &o.input, "file", "read this recording (- is stdin)"),
		OPT_BOOL('f', "force", &o.force, "read recordings that belong to other users"),
		OPT_BOOL('F', "freq", &o.frequency, "print the frequency or period of samples"),
		OPT_BOOL('g', "group", &o.groups, "print the events of a group in a line"),
		OPT_INCR('v', "verbose", &o.verbose, "print all attributes of the events"),
		OPT_BOOL(0, "trace-fields", &o.trace_fields, "print the fields of tracepoints"),
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, evlist_usage, 0);
	if (argc)
		usage__die(options, evlist_usage, "unexpected argument '%s': name a file with -i",
			   argv[0]);
	if (o.groups && (o.frequency || o.verbose || o.trace_fields))
		usage__die(options, evlist_usage, "-g prints only names: leave out -F, -v and "
						  "--trace-fields");
	if (o.trace_fields && (o.frequency || o.verbose))
		usage__die(options, evlist_usage, "--trace-fields prints only fields: leave out -F "
						  "and -v");
	return evlist__run(&o);
}
