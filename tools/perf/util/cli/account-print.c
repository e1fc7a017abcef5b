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

void account__print_symbols(struct symbols *s)
{
	struct error err;

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
