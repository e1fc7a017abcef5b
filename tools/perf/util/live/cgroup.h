/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hierarchy of control groups that perf events know: that of the v1 controller "perf_event"
 * where one is mounted, else cgroup v2.
 */
#ifndef PERF_LIVE_CGROUP_H
#define PERF_LIVE_CGROUP_H

#include "../base/error.h"
#include "../../../lib/unwind/core/types.h"

/*
 * Returns: where the hierarchy is mounted, for free(); NULL when it is not. @mounts: /proc/mounts,
 *         or a test's.
 */
char *cgroup__mount(const char *mounts);

/*
 * Opens the group @name, a path below the mount, for perf_event_open(2).
 * Returns: a descriptor, the caller's; or -errno with words.
 */
int cgroup__open(const char *name, struct error *err);

/*
 * Visits every group of the hierarchy.
 * @each: gets the id by which samples name it, and the path below the mount; ends the visit when it
 *         returns other than 0
 * Returns: what @each has returned last.
 */
int cgroup__for_each(int (*each)(void *ctx, u64 id, const char *path), void *ctx);

#endif
