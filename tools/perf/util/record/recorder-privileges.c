// SPDX-License-Identifier: GPL-2.0-only
/* The capabilities that root's recorder needs while it records, each with its reason. */
#include <string.h>

#include "../io/privileges.h"
#include "recorder-priv.h"

static u64 needed(const struct recorder *r, enum recorder_stage stage)
{
	/* Mappings and binaries of other users' processes. */
	u64 set = privileges__of_looking();

	/*
	 * The addresses in /proc/modules and /proc/kallsyms: each output file begins with modules.
	 */
	set |= PRIVILEGE(CAP_SYSLOG);
	/* To kill the command when the recorder fails: it may have become another user. */
	if (r->has_workload)
		set |= PRIVILEGE(CAP_KILL);
	/* Files that are begun later, and renamed at the end, in a folder of another user. */
	if (r->has_place)
		set |= out_folder__privileges(&r->place.folder);
	/* Events of programs that load the agent later, and their signals. */
	if (r->opts->agent)
		set |= PRIVILEGE(CAP_PERFMON) | PRIVILEGE(CAP_KILL);
	/* Maps for more rows of a BPF program, and its outputs on CPUs that come online. */
	if (r->walker || r->sampling.side)
		set |= PRIVILEGE(CAP_BPF);
	/* Events on CPUs that come online, and the memory of their rings. */
	if (r->target.system_wide && !r->target.has_cpus && !r->opts->clock_ns)
		set |= PRIVILEGE(CAP_PERFMON) | PRIVILEGE(CAP_IPC_LOCK);
	/* The priority of the threads, which are not started yet. */
	if (stage < RECORDER_STARTED)
		set |= PRIVILEGE(CAP_SYS_NICE);
	return set;
}

void recorder__drop_privileges(const struct recorder *r, enum recorder_stage stage)
{
	privileges__keep(needed(r, stage));
}
