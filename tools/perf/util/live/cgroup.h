/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hierarchy of control groups that perf events know: that of the v1 controller "perf_event"
 * where one is mounted, else cgroup v2.
 */
#ifndef PERF_LIVE_CGROUP_H
#define PERF_LIVE_CGROUP_H

#include "../base/error.h"
#include "../base/types.h"

/* Where it is mounted; NULL when it is not. To be freed. @mounts: /proc/mounts, or a test's. */
char *cgroup__mount(const char *mounts);

/* A descriptor of the group @name, a path below the mount, for perf_event_open(2). Or -errno. */
int cgroup__open(const char *name, struct error *err);

/* Every group of the hierarchy, with the path below the mount; non-zero of @each ends it. */
int cgroup__for_each(int (*each)(void *ctx, u64 id, const char *path), void *ctx);

#endif
