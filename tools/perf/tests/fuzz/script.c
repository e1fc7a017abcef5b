// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf script. The first byte of an input says with which options, the rest is the recording.
 */
#include "commands.h"

static const char *const options[][12] = {
	{ NULL },
	{ "--show-mmap-events", "--show-task-events", "--show-lost-events", "--show-switch-events",
	  "--show-namespace-events", "--show-bpf-events", "--show-cgroup-events", "--ns" },
	{ "--no-merge-callchains", "-F", "comm,tid,pid,time,event,ip,sym,dso,trace,period" },
	{ "-F", "+iregs,+uregs" },
	{ "-F", "+misc,+symoff,+dsoff,+srcline,+bpf-output" },
	{ "-F", "+raw,+addr,+phys_addr,+weight,+cpu" },
	{ "-C", "0-3", "--time", "10%-90%", "-S", "main,a", "--max-stack", "3" },
	{ "--header" },
	{ "-D" },
	{ "-G" },
};

FUZZ_TARGET(script, "perf script of a recording")
{
	if (size)
		fuzz__run_silently(cmd_script, "script", options[data[0] % ARRAY_SIZE(options)],
				   data + 1, size - 1);
}
