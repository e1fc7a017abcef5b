// SPDX-License-Identifier: GPL-2.0-only
#include "../base/log.h"
#include "account-print.h"

void account__print(enum account_severity severity, const char *text)
{
	if (severity == ACCOUNT_DAMAGE)
		pr_err("%s\n", text);
	else
		pr_warn("%s\n", text);
}

/* So many are named, each in a line of its own. */
#define MAX_NAMED 10

void account__print_missing(const struct symbols *s)
{
	const struct binaries *b = symbols__binaries(s);
	u32 next = 0, nr = 0;
	struct error err;

	if (binaries__servers_error(b, &err))
		pr_warn("%s\n", err.text);
	while (binaries__missing(b, &next, &err))
		if (nr++ < MAX_NAMED)
			pr_warn("%s\n", err.text);
	if (nr > MAX_NAMED)
		pr_warn("so is it with %u more binaries\n", nr - MAX_NAMED);
	if (nr)
		pr_warn("functions of such binaries have no names, or stacks end in them. Files "
			"as they were recorded are also looked for below --symfs DIR and in the "
			"build-id cache: `perf buildid-cache -a FILE` adds one, `perf record "
			"--buildid-cache` adds all.\n");
}

void account__print_symbols(struct symbols *s)
{
	struct error err;

	account__print_missing(s);
	if (symbols__kernel_error(s, &err))
		pr_warn("%s\n", err.text);
	if (symbols__memory_error(s, &err))
		pr_warn("%s\n", err.text);
	if (symbols__names_error(s, &err))
		pr_warn("%s\n", err.text);
	if (symbols__lines_error(s, &err))
		pr_warn("%s\n", err.text);
}

void account__print_tracepoints(const struct tracepoints *t)
{
	struct error err;

	if (tracepoints__error(t, &err))
		pr_warn("%s\n", err.text);
}
