/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each runtime has to offer. Its functions are called as those of runtime.h, and do as is said
 * there. Without .look the walk needs nothing of it, without .tells other code than its own is
 * looked for, too. Internal to this room.
 */
#ifndef PERF_RUNTIME_RUNTIME_KIND_H
#define PERF_RUNTIME_RUNTIME_KIND_H

#include "runtime.h"

struct runtime_kind {
	const char *name; /* of --runtimes */
	void *(*make)(struct binaries *binaries, const struct own_dumps *own);
	void (*free)(void *self);
	int (*look)(void *self, const struct thread *t, const u64 *ips, u64 nr, u64 time);
	int (*frames)(void *self, const struct thread *t, struct runtime_stack *stack, u64 time);
	bool (*tells)(const void *self, u32 pid);
	void (*forget)(void *self, const struct dso *dso);
	void (*exit)(void *self, u32 pid);
};

#endif
