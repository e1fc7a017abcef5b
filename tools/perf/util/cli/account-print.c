// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "../base/log.h"
#include "../base/version.h"
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
		pr_warn("the same applies to %u more binaries\n", nr - MAX_NAMED);
	if (nr)
		pr_warn("functions of these binaries have no names, or stacks end in them. perf "
			"also looks for recorded files below --symfs DIR and in the build-id "
			"cache: `perf buildid-cache -a FILE` adds one, `%s record --buildid-cache` "
			"adds all.\n", perf__typed());
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

void account__print_jit(const struct jit_account *a)
{
	const struct {
		u64 nr;
		const char *what;
	} warnings[] = {
		{ a->foreign, "jitdump files were not read: they belong to neither you nor root, "
			      "and are not the mapped files" },
		{ a->unreadable, "jitdump files are gone, or are other files now (-v names them)" },
		{ a->damaged, "jitdump files were read up to where they are damaged (-v names "
			      "them)" },
		{ a->too_much, "jitdump files have more code than 4 million functions: the rest "
			       "is left out" },
		{ a->too_many, "jitdump files were not read: too many files are open" },
		{ a->lines_left_out, "addresses in code of jitdump files have no line: the search "
				     "would take too long" },
		{ a->untimed, "jitdump files have times of the CPU's clock: perf assumes that all "
			      "of their code was made at the beginning" },
		{ a->covered, "times memory with code of jitdump files was mapped at another "
			      "address, where it has no names: it has too many functions" },
		{ a->left_out, "objects that programs registered for debuggers are larger than "
			       "64 MB, or too many (100,000 of a process, 2 GB of all): their "
			       "code has no names" },
	};

	if (a->other_version)
		pr_warn("%" PRIu64 " jitdump files have version %u, and perf knows only version 1: "
			"they are read up to the first record that differs\n",
			a->other_version, a->version);
	for (size_t i = 0; i < ARRAY_SIZE(warnings); i++)
		if (warnings[i].nr)
			pr_warn("%" PRIu64 " %s\n", warnings[i].nr, warnings[i].what);
}
