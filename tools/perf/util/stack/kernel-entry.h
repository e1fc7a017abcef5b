/* SPDX-License-Identifier: GPL-2.0-only */
/* By what a thread is in the kernel: the names of the kernel's functions on its stack say it. */
#ifndef PERF_STACK_KERNEL_ENTRY_H
#define PERF_STACK_KERNEL_ENTRY_H

#include "frames.h"

/*
 * Returns: whether this function of the kernel calls those of system calls.
 * @name: of the function
 */
bool kernel_entry__calls_syscalls(const char *name);

/*
 * Finds by what the thread came from user space into the kernel.
 * @frames, @nr: innermost first
 * @len: filled with the length of the name
 * Returns: a name that is not NUL-terminated, and lives as long as the symbols: of a system call
 *         ("futex"; or of the kernel's function for it), "page fault", "interrupt", "return to
 *         user space"; NULL: the thread is not in the kernel, or the stack does not say.
 */
const char *kernel_entry__name(const struct frame *frames, size_t nr, size_t *len);

/* What the first argument of a system call names. */
enum kernel_entry_object { ENTRY_NO_OBJECT, ENTRY_FD, ENTRY_FUTEX };

/* Returns: what that of the call @name is. @len: of its name, which need not be terminated */
enum kernel_entry_object kernel_entry__object(const char *name, size_t len);

#endif
