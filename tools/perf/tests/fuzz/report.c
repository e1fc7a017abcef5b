// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf report. The first byte of an input says with which options, the rest is the recording.
 */
#include "commands.h"

static const char *const options[][8] = {
	{ NULL },
	{ "--no-children", "-g", "caller", "-s", "pid,tid,cpu,comm,dso,sym", "-n" },
	{ "-s", "trace,srcline", "--group", "--show-total-period" },
	{ "-g", "flat,0,callee,address,count", "-F", "overhead,overhead_children,sample,sym" },
	{ "-t", ";", "--percentage", "relative", "-C", "0-3", "--time", "10%-90%" },
	{ "-g", "folded,0.5,10", "--max-stack", "5", "--comms", "a,b,perf" },
	{ "--header-only" },
	{ "-D" },
	{ "--off-cpu", "-s", "comm,state,waker,parallelism,sym" },
	{ "--wall", "--wakers" },
};

FUZZ_TARGET(report, "perf report of a recording")
{
	if (size)
		fuzz__run_silently(cmd_report, "report", options[data[0] % ARRAY_SIZE(options)],
				   data + 1, size - 1);
}
