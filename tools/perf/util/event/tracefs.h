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
 * Finds tracefs with its events readable: in $PERF_DEBUGFS_DIR, at the usual places, or in the list
 * of mounts. If it is nowhere, it is mounted at the usual place, as by every perf, and left there.
 * @path: out: "/sys/kernel/tracing"; has PATH_MAX bytes
 * Returns: 0, or -errno with words.
 */
int tracefs__path(char *path, struct error *err);

/*
 * The same, but mounts nothing and gives no words. @path has PATH_MAX bytes. Returns whether it was
 * found.
 */
bool tracefs__find(char *path);

/*
 * Reads the id of the tracepoint @system:@name, for perf_event_attr.config, into @id.
 * Returns: 0; -ENOENT when there is none of that name; another -errno with words.
 */
int tracefs__event_id(const char *system, const char *name, u64 *id, struct error *err);

/*
 * Reads the description of the fields of the tracepoint @system:@name, its file "format".
 * @text: out: NUL-terminated, for free()
 * Returns: 0, or -errno with words.
 */
int tracefs__event_format(const char *system, const char *name, char **text, struct error *err);

/*
 * Names under events/ (@system NULL) or events/@system that match the shell pattern @glob
 * (NULL: all), sorted. The caller frees the strings and the vector.
 */
typedef VEC(char *) tracefs_names;

/*
 * Lists names under events/ or events/SYSTEM, sorted.
 * @out: for tracefs_names__free()
 * @system: NULL: systems are listed, else events of that system
 * @glob: only those that match this shell pattern; NULL: all
 * Returns: 0, or -errno with words.
 */
int tracefs__list(tracefs_names *out, const char *system, const char *glob, struct error *err);

/* Frees the strings and the vector. */
void tracefs_names__free(tracefs_names *names);

#endif
