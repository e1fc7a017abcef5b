// SPDX-License-Identifier: GPL-2.0-only
/* perf buildid-list: the build-ids of a recording, a file, or the running kernel. */
#include "builtin.h"
#include "util/base/log.h"
#include "util/build-ids/list.h"
#include "util/cli/options.h"

static const char *const list_usage[] = { "perf buildid-list [<options>]", NULL };

int cmd_buildid_list(int argc, const char **argv)
{
	struct buildid_list_opts o = {};
	int verbose = 0;
	const struct option options[] = {
		OPT_BOOL('H', "with-hits", &o.hits, "only binaries that samples have hit"),
		OPT_STRING('i', "input", &o.input, "file",
			   "a recording (- is stdin), or an ELF file"),
		OPT_BOOL('f', "force", &o.force, "read recordings that belong to other users"),
		OPT_BOOL('k', "kernel", &o.kernel, "print the build-id of the running kernel"),
		OPT_BOOL('m', "kernel-maps", &o.maps,
			 "print build-id, addresses and file of the kernel and its modules"),
		OPT_INCR('v', "verbose", &verbose, "print more messages"),
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, list_usage, 0);
	if (argc)
		usage__die(options, list_usage, "unexpected argument '%s': name a file with -i",
			   argv[0]);
	if (o.kernel && o.maps)
		usage__die(options, list_usage, "-m also prints the output of -k: leave out -k");
	if ((o.kernel || o.maps) && (o.hits || o.input || o.force))
		usage__die(options, list_usage, "-k and -m are for the running kernel: leave out "
						"-i, -H and -f");
	log__set_level(verbose);
	return buildid_list__run(&o);
}
