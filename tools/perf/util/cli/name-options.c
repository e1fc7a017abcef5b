// SPDX-License-Identifier: GPL-2.0-only
#include "name-options.h"

#include <string.h>

#include "../base/log.h"

int name_options__demangle(const struct option *opt, const char *arg, bool unset)
{
	struct name_opts *o = opt->value;

	*o = (struct name_opts){ .mangled = unset, .full = arg && !strcmp(arg, "full") };
	if (unset || o->full || !strcmp(arg, "short"))
		return 0;
	pr_err("--demangle=%s: must be full or short\n", arg);
	return -1;
}
