/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Explains why the kernel refused to open an event or to map ring buffers, and what to do.
 *
 * perf_event_open(2) has one errno for many reasons, so the explanation follows from the state of
 * what can be the reason: sysctls, capabilities, seccomp, limits.
 */
#ifndef PERF_LIVE_OPEN_ERROR_H
#define PERF_LIVE_OPEN_ERROR_H

#include "../event/parse-events.h"
#include "../event/target.h"

/* What the kernel's permissions depend on. */
struct permissions {
	s64 paranoid;      /* kernel.perf_event_paranoid; -2 when it cannot be read */
	bool perfmon;      /* CAP_PERFMON or CAP_SYS_ADMIN is effective, and counts */
	bool seccomp;      /* a seccomp filter refuses perf_event_open(2) */
	bool user_ns;      /* this is a user namespace, whose capabilities do not count */
	bool ipc_lock;     /* CAP_IPC_LOCK is effective */
};

/* Reads the sysctls, the capabilities and the rest. What cannot be read counts as not permitted. */
void permissions__read(struct permissions *p);

/* Returns: how many bytes of rings may be mapped, if this user has no others. */
u64 permissions__lockable(const struct permissions *p);

struct failed_open {
	int code;                 /* -errno */
	const struct event_spec *spec;
	const struct target *target;
	u32 tid;                  /* the thread it failed on; 0: unknown or none */
	size_t descriptors;       /* how many were to be opened */
};

/* Explains why an event was not opened, in @err. Returns r->code. */
int open_error__explain(const struct failed_open *r, const struct permissions *p,
			struct error *err);

/*
 * Explains why rings were not mapped, in @err.
 * @code: -errno
 * @nr_rings, @bytes: number of rings, and bytes of each
 * Returns: @code.
 */
int open_error__explain_mmap(int code, size_t nr_rings, u64 bytes, const struct permissions *p,
			     struct error *err);

#endif
