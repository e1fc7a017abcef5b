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

/* What decides about permissions; gathered by permissions__read(). */
struct permissions {
	s64 paranoid;      /* kernel.perf_event_paranoid; -2 when it cannot be read */
	bool perfmon;      /* CAP_PERFMON or CAP_SYS_ADMIN is effective, and counts */
	bool seccomp;      /* a seccomp filter answers for perf_event_open(2) */
	bool user_ns;      /* we are in a user namespace, where capabilities do not count */
	bool ipc_lock;     /* CAP_IPC_LOCK is effective */
};

void permissions__read(struct permissions *p);

/* How many bytes of rings may be mapped, if nobody else of this user has some. */
u64 permissions__lockable(const struct permissions *p);

struct failed_open {
	int code;                 /* -errno */
	const struct event_spec *spec;
	const struct target *target;
	u32 tid;                  /* the thread it failed on; 0: unknown or none */
	size_t descriptors;       /* how many were to be opened */
};

/* Of opening an event. Returns r->code. */
int open_error__explain(const struct failed_open *r, const struct permissions *p,
			struct error *err);

/* Of mapping @nr_rings rings of @bytes each. Returns @code. */
int open_error__explain_mmap(int code, size_t nr_rings, u64 bytes, const struct permissions *p,
			     struct error *err);

#endif
