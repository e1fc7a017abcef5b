/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A forked process for code that somebody else's bytes may crash, keep busy or take over: it can
 * compute, read from and write to what it has open, perhaps open files for reading, and nothing
 * else. Why: Documentation/design/security.md
 */
#ifndef PERF_IO_SANDBOX_H
#define PERF_IO_SANDBOX_H

#include "../base/types.h"

struct sandbox_limits {
	u64 memory;     /* bytes that it may map beyond what it has; 0: any number */
	u32 cpu_sec;    /* seconds of CPU time, behind which it is killed; 0: any number */
	bool opens;     /* files, for reading, with the capabilities that it has */
};

/*
 * Closes what this process has open from descriptor @first on: what it inherited, and would keep
 * open for as long as it is left behind.
 */
void sandbox__close_from(int first);

/*
 * From here on: no core dump, no capabilities unless files may be opened, the limits, and where the
 * kernel has seccomp filters (not under qemu-user) on an architecture that is known here, all
 * system calls but a few fail with EPERM: no file can be opened, or none for writing, no program
 * run, no process signalled. What the kernel does not offer is left out.
 * @limits: copied
 * Returns: true when the filter is on.
 */
bool sandbox__enter(const struct sandbox_limits *limits);

#endif
