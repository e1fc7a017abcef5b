// SPDX-License-Identifier: GPL-2.0-only
#include "reader-privileges.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/mem.h"
#include "../io/out-place.h"
#include "../io/privileges.h"
#include "../io/secure-env.h"
#include "../io/tempfile.h"

/* Addresses in /proc/kallsyms; temporary files; as root, recordings and binaries of other users. */
static u64 of_reading(void)
{
	u64 set = PRIVILEGE(CAP_SYSLOG);
	char *temporary;

	/* Capabilities of perf's file are for recording: who starts it reads what that user may. */
	if (!secure_env__is_privileged())
		set |= PRIVILEGE(CAP_DAC_READ_SEARCH);
	/* If root has another user's $TMPDIR, or writes a file in another user's folder. */
	temporary = xasprintf("%s/x", tempfile__dir());
	set |= out_place__privileges(temporary);
	free(temporary);
	return set;
}

static void drop_but(u64 set, const char *output)
{
	set |= of_reading();
	if (output && strcmp(output, "-"))
		set |= out_place__privileges(output);
	privileges__keep(set);
}

void reader__drop_privileges(const char *output)
{
	drop_but(0, output);
}

void reader__drop_privileges_but_looking(const char *output)
{
	drop_but(secure_env__is_privileged() ? 0 : privileges__of_looking(), output);
}

void reader__drop_privileges_of_file(void)
{
	if (secure_env__is_privileged())
		privileges__keep(0);
}

void reader__drop_privileges_of_script(void)
{
	const u64 make = PRIVILEGE(CAP_DAC_OVERRIDE) | PRIVILEGE(CAP_FOWNER);
	int dir = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	u64 set = of_reading();

	if (dir < 0 || !privileges__can_write_without(make, dir))
		set |= make;
	if (dir >= 0)
		close(dir);
	privileges__keep(set);
}

bool reader__has_privileges(void)
{
	return !geteuid() || privileges__effective() || secure_env__is_privileged();
}
