// SPDX-License-Identifier: GPL-2.0-only
#include "reader-privileges.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "../base/mem.h"
#include "../io/privileges.h"
#include "../io/tempfile.h"

void reader__drop_privileges(const char *output)
{
	char *temporary;
	u64 set;

	/* Recordings and binaries of other users; addresses in /proc/kallsyms. */
	set = PRIVILEGE(CAP_DAC_READ_SEARCH) | PRIVILEGE(CAP_SYSLOG);
	/* If root has another user's $TMPDIR, or writes a file in another user's folder. */
	temporary = xasprintf("%s/x", tempfile__dir());
	set |= privileges__of_writing(temporary);
	free(temporary);
	if (output && strcmp(output, "-"))
		set |= privileges__of_writing(output);
	privileges__keep(set);
}

bool reader__has_privileges(void)
{
	return !geteuid() || privileges__effective() || getauxval(AT_SECURE);
}
