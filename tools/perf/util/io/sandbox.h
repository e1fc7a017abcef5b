/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A forked process for code that somebody else's bytes may crash, keep busy or take over: it can
 * compute, and read from and write to what it has open, and nothing else. Why:
 * Documentation/design/security.md
 */
#ifndef PERF_IO_SANDBOX_H
#define PERF_IO_SANDBOX_H

#include "../base/types.h"

struct sandbox_limits {
	u64 memory;     /* bytes that it may map beyond what it has; 0: any number */
	u32 cpu_sec;    /* seconds of CPU time, behind which it is killed; 0: any number */
};

/*
 * Closes what this process has open from descriptor @first on: what it inherited, and would keep
 * open for as long as it is left behind.
 */
void sandbox__close_from(int first);

/*
 * From here on: no core dump, no capabilities, the limits, and where the kernel has seccomp filters
 * (not under qemu-user) and we know the architecture's numbers of system calls, all of these but a
 * few fail with EPERM: no file can be opened, nothing run, nobody signalled. What is not to be had
 * is done without. True: the filter is on.
 */
bool sandbox__enter(const struct sandbox_limits *limits);

#endif
