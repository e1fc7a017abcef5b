/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names and ids of tracepoints, from tracefs. (Their formats: data/tracing-data.h.)
 *
 * On most systems only root can read tracefs; errors of all calls say so.
 */
#ifndef PERF_EVENT_TRACEFS_H
#define PERF_EVENT_TRACEFS_H

#include "../base/error.h"
#include "../base/vec.h"

/*
 * Where tracefs is mounted ("/sys/kernel/tracing"), with its events readable, into @path of
 * PATH_MAX bytes. In $PERF_DEBUGFS_DIR, at the usual places, or anywhere else. Where it is nowhere
 * it is mounted at the usual place, as by every perf, and stays there, if we may do that. 0, or
 * -errno with words.
 */
int tracefs__path(char *path, struct error *err);

/* Likewise, but mounts nothing and gives no words. */
bool tracefs__find(char *path);

/* The id of a tracepoint: perf_event_attr.config. -ENOENT when there is none of that name. */
int tracefs__event_id(const char *system, const char *name, u64 *id, struct error *err);

/*
 * Names under events/ (@system NULL) or events/@system that match the shell pattern @glob
 * (NULL: all), sorted. The caller frees the strings and the vector.
 */
typedef VEC(char *) tracefs_names;

int tracefs__list(tracefs_names *out, const char *system, const char *glob, struct error *err);
void tracefs_names__free(tracefs_names *names);

#endif
