/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A forked process for code that somebody else's bytes may crash, keep busy or take over: it can
 * compute, read from and write to what it has open, perhaps open files for reading, and nothing
 * else. Why: Documentation/design/security.md
 */
#ifndef PERF_IO_SANDBOX_H
#define PERF_IO_SANDBOX_H

#include "../../../lib/unwind/core/types.h"

struct sandbox_limits {
	u64 memory;     /* bytes that it may map beyond what it has; 0: any number */
	u64 has;        /* what it has, by procfile__own_memory(); 0: it looks by itself */
	u32 cpu_sec;    /* seconds of CPU time, behind which it is killed; 0: any number */
	bool opens;     /* files, for reading, with the capabilities that it has */
};

/*
 * Closes what this process has open from descriptor @first on: what it inherited, and would keep
 * open for as long as it is left behind.
 */
void sandbox__close_from(int first);

/*
 * Returns: whether valgrind runs this program. It makes executable memory and opens files as long
 *         as the program runs, in the same process, so that there can be no filter, and takes
 *         memory and CPU time of its own, so that limits would not mean this program's.
 */
bool sandbox__is_emulated(void);

/*
 * From here on: no core dump, no capabilities unless files may be opened, the limits, and where the
 * kernel has seccomp filters (not under qemu-user) on an architecture that is known here, all
 * system calls but a few fail with EPERM: no file can be opened, or none for writing, no program
 * run, no process signalled. What the kernel does not offer is left out,
 * and limits and filter under valgrind.
 * @limits: copied
 * Returns: true when the filter is on.
 */
bool sandbox__enter(const struct sandbox_limits *limits);

/*
 * Returns: whether sandbox__confine() can be expected to work: the kernel has seccomp filters, and
 *         nothing that was linked in or runs this program opens files as sanitizers, gcov and
 *         valgrind do.
 */
bool sandbox__can_confine(void);

/*
 * The same for a whole command with its threads and the processes that it forks: they compute, read
 * and write what is open, ask what a file with a name is (its size and owner), and can change
 * the modes of their terminal. No file can be opened or changed by its name, nothing connected to,
 * no program run, no other process signalled, no memory made executable, no namespace made. There
 * are no capabilities. With a seccomp filter, and Landlock where the kernel has it.
 * Returns: true when the filter is on.
 */
bool sandbox__confine(void);

#endif
