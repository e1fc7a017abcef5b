// SPDX-License-Identifier: GPL-2.0-only
#include "features.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../base/log.h"
#include "../base/mem.h"
#include "../base/version.h"

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

bool features__check(const char *list, bool quiet)
{
	char *copy = xstrdup(list), *rest = copy, *name;
	bool all = true;

	while ((name = strsep(&rest, ",")))
		if (*name && !check_one(name, quiet))
			all = false;
	free(copy);
	return all;
}
