// SPDX-License-Identifier: GPL-2.0-only
/* perf archive: a tar file of what the build-id cache has of a recording's binaries. */
#include "builtin.h"
#include "util/base/log.h"
#include "util/build-ids/archive.h"
#include "util/cli/options.h"

static const char *const archive_usage[] = { "perf archive [<options>] [<file>]", NULL };

int cmd_archive(int argc, const char **argv)
{
	struct archive_opts o = { .input = "perf.data" };
	int verbose = 0;
	const struct option options[] = {
		OPT_BOOL('f', "force", &o.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &verbose, "name the binaries that are not in the cache"),
		OPT_REFUSED(0, "all", "use perf data bundle, which packs the recording, too"),
		OPT_REFUSED(0, "unpack", "use tar xf FILE -C ~/.debug"),
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, archive_usage, 0);
	if (argc > 1)
		usage__die(options, archive_usage, "unexpected argument '%s'", argv[1]);
	if (argc)
		o.input = argv[0];
	log__set_level(verbose);
	return archive__run(&o);
}
