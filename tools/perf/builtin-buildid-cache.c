// SPDX-License-Identifier: GPL-2.0-only
/* perf buildid-cache: what is in the build-id cache, and what goes in and out. */
#include "builtin.h"
#include "util/base/log.h"
#include "util/build-ids/cache.h"
#include "util/cli/option-forms.h"
#include "util/cli/options.h"

static const char *const cache_usage[] = { "perf buildid-cache [<options>]", NULL };

enum form { CHANGE = 1, PURGE_ALL = 2, LIST = 4, MISSING = 8 };

static const struct option_effect effects[] = {
	{ "target-ns", CHANGE }, { "debuginfod", CHANGE }, { "force", MISSING },
};

static const struct option_forms forms = {
	.command = "buildid-cache", .effects = effects, .nr_effects = ARRAY_SIZE(effects),
	.others = CHANGE | PURGE_ALL | LIST | MISSING,
};

/* What is done, several things if they are asked for. */
static u32 forms_of(const struct buildid_cache_opts *o)
{
	return (o->add || o->update || o->remove || o->purge ? CHANGE : 0) |
	       (o->purge_all ? PURGE_ALL : 0) | (o->list ? LIST : 0) | (o->missing ? MISSING : 0);
}

int cmd_buildid_cache(int argc, const char **argv)
{
	struct buildid_cache_opts o = {};
	int verbose = 0;
	const struct option options[] = {
		OPT_STRING('a', "add", &o.add, "files", "add these files"),
		OPT_STRING('u', "update", &o.update, "files",
			   "add these files, and replace those with the same build-id"),
		OPT_STRING('r', "remove", &o.remove, "files",
			   "remove the files with the build-ids of these files"),
		OPT_STRING('p', "purge", &o.purge, "files",
			   "remove all builds of these paths, also of files that no longer exist"),
		OPT_BOOL('P', "purge-all", &o.purge_all, "remove all files"),
		OPT_BOOL('l', "list", &o.list, "list the files in the cache"),
		OPT_STRING('M', "missing", &o.missing, "recording",
			   "list binaries that samples of this recording hit and that are not in "
			   "the cache"),
		OPT_BOOL('f', "force", &o.force, "read recordings that belong to other users"),
		OPT_UINT(0, "target-ns", &o.target_ns, "pid",
			 "take the files from the file system of this process"),
		{ .type = OPTION_STRING, .long_name = "debuginfod", .value = &o.urls,
		  .argh = "urls", .flags = OPT_OPTARG, .defval = "",
		  .help = "downdownload debug files from these servers, or those of "
			  "DEBUGINFOD_URLS" },
		OPT_INCR('v', "verbose", &verbose, "say what was done"),
		OPT_REFUSED('k', "kcore", "this perf does not read copies of kcore"),
		OPT_END(),
	};

	bool given[ARRAY_SIZE(options)] = {};

	argc = options__parse_given(argc, argv, options, cache_usage, 0, given);
	if (argc)
		usage__die(options, cache_usage, "unexpected argument '%s': name files with -a, "
			   "-u, -r or -p", argv[0]);
	if (!o.add && !o.update && !o.remove && !o.purge && !o.purge_all && !o.list && !o.missing)
		usage__die(options, cache_usage, "nothing to do: -a adds files, -l lists them");
	option_forms__check(&forms, forms_of(&o), o.list ? "--list" : o.missing ? "--missing" :
			    o.purge_all ? "--purge-all" : "files", options, cache_usage, given);
	log__set_level(verbose);
	return buildid_cache__run(&o);
}
