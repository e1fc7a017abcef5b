// SPDX-License-Identifier: GPL-2.0-only
/* The capabilities that root's recorder needs while it records: all there are, and what for. */
#include <string.h>

#include "../io/privileges.h"
#include "recorder-priv.h"

static u64 needed(const struct recorder *r, enum recorder_stage stage)
{
	/* Mappings and binaries of processes that others started, as they come. */
	u64 set = privileges__of_looking();

	/* The addresses in /proc/modules and /proc/kallsyms: each file begins with modules. */
	set |= PRIVILEGE(CAP_SYSLOG);
	/* The command may have become another user, and has to be ended when the recorder fails. */
	if (r->has_workload)
		set |= PRIVILEGE(CAP_KILL);
	/* Files that are begun later, and renamed at the end, where others own the folder. */
	if (strcmp(r->opts->output, "-"))
		set |= privileges__of_writing(r->opts->output);
	/* The priority of the threads that have to be on time. */
	if (stage < RECORDER_STARTED)
		set |= PRIVILEGE(CAP_SYS_NICE);
	return set;
}

void recorder__drop_privileges(const struct recorder *r, enum recorder_stage stage)
{
	privileges__keep(needed(r, stage));
}
