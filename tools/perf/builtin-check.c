// SPDX-License-Identifier: GPL-2.0-only
/* perf check: whether perf was built with something, for scripts. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/base/mem.h"
#include "util/base/version.h"
#include "util/cli/options.h"
#include "util/cli/reader-confine.h"

static const char *const check_usage[] = {
	"perf check [<options>] feature <feature>[,...]",
	"perf check [<options>] reader",
	NULL
};

/* By its name or macro, in any case, as in Linux perf. */
static const struct build_option *find_option(const char *name)
{
	const struct build_option *o;

	for (size_t i = 0; (o = perf__build_option(i)); i++)
		if (!strcasecmp(o->name, name) || !strcasecmp(o->macro, name))
			break;
	return o;
}

static bool check_one(const char *name, bool quiet)
{
	const struct build_option *o = find_option(name);

	if (!o && !quiet)
		pr_err("unknown feature '%s': 'perf version --build-options' lists them\n", name);
	if (o && !quiet)
		build_option__print(o);
	return o && o->on;
}

/* Returns: whether each of the names that @list has between commas is there. */
static bool check_list(const char *list, bool quiet)
{
	char *copy = xstrdup(list), *rest = copy, *name;
	bool all = true;

	while ((name = strsep(&rest, ",")))
		if (*name && !check_one(name, quiet))
			all = false;
	free(copy);
	return all;
}

int cmd_check(int argc, const char **argv)
{
	bool quiet = false;
	const struct option options[] = {
		OPT_BOOL('q', "quiet", &quiet, "print nothing; the exit status says it"),
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, check_usage, 0);
	if (argc == 1 && !strcmp(argv[0], "reader"))
		return reader__check(quiet) ? 0 : 1;
	if (!argc || strcmp(argv[0], "feature"))
		usage__die(options, check_usage,
			   "what is to be checked? There are 'feature' and 'reader'");
	if (argc < 2)
		usage__die(options, check_usage, "no feature is given");
	if (argc > 2) {
		pr_err("too many arguments: '%s'; put commas between features\n", argv[2]);
		return 255; /* as Linux perf */
	}
	return check_list(argv[1], quiet) ? 0 : 1;
}
