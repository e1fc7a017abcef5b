/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Seccomp filters that allow a list of system calls, for the architectures that they are written
 * for: x86-64 and arm64. All other calls fail. A filter holds for the thread that sets it, and for
 * threads and processes that it makes later; it cannot be taken back.
 */
#ifndef PERF_IO_CALL_FILTER_H
#define PERF_IO_CALL_FILTER_H

#include <linux/filter.h>

#include "../../../lib/unwind/core/types.h"

/* s390x passes mmap() its arguments in memory, where a filter does not see them. */
#if defined(__x86_64__) || (defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define CALL_FILTER
#endif

#define CALL_FILTER_STEPS 480

struct call_filter {
	struct sock_filter steps[CALL_FILTER_STEPS];
	u16 nr;
};

/* A system call that fails with EPERM when an argument has any of these bits in its low half. */
struct call_without {
	int call;
	u8 arg;
	u32 bits;
};

/* A system call that is allowed when the low half of an argument has one value. */
struct call_with {
	int call;
	u8 arg;
	u32 value;
};

/* Calls by the numbers of another architecture end the process. */
void call_filter__begin(struct call_filter *f);

/*
 * Allows calls whatever their arguments are.
 * @calls, @nr: their numbers, SYS_*
 */
void call_filter__allow(struct call_filter *f, const int *calls, size_t nr);

/* Allows @nr calls without bits, as struct call_without says. */
void call_filter__allow_without(struct call_filter *f, const struct call_without *w, size_t nr);

/* Allows @nr calls with a value; a call may be there several times, for several values. */
void call_filter__allow_with(struct call_filter *f, const struct call_with *w, size_t nr);

/* Allows @call if its argument @arg is no pointer. */
void call_filter__allow_null(struct call_filter *f, int call, u8 arg);

/* The system call @call fails with the error @err, a number of errno.h. */
void call_filter__refuse(struct call_filter *f, int call, int err);

/*
 * Sets the filter: all other calls fail with EPERM. It takes no_new_privs, which is set, too.
 * Returns: false where the kernel has none (qemu-user), or the architecture is not known here.
 */
bool call_filter__set(struct call_filter *f);

#endif
