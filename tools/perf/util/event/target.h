/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What to record: a list of processes, of threads, some CPUs, everything, or a workload that is
 * yet to be started.
 */
#ifndef PERF_EVENT_TARGET_H
#define PERF_EVENT_TARGET_H

#include "../base/error.h"
#include "../base/vec.h"

typedef VEC(u32) id_vec;

struct target {
	bool system_wide;     /* -a, or -C alone */
	bool has_cpus;        /* -C was given */
	const char *cpu_list; /* as given */
	id_vec pids;          /* -p */
	id_vec tids;          /* -t */
	bool per_thread;      /* one ring for each thread, not for each CPU */
	u32 workload;         /* pid of a started workload, 0: none */
};

/*
 * Parses a list of ids.
 * @ids: they are appended; the caller frees the vector
 * @text: "12,34"
 * @what: what they are, for messages
 * Returns: 0; -EINVAL with words for anything else.
 */
int target__parse_ids(id_vec *ids, const char *text, const char *what, struct error *err);

/*
 * Adds the processes of a user that run at present to .pids.
 * @user: name or number
 * Returns: 0, or -errno with words.
 */
int target__add_user(struct target *t, const char *user, struct error *err);

/*
 * Lists the threads to attach to at present: those of -t, the workload, and every thread of the
 * processes of -p. Threads that have ended are left out.
 * @tids: they are appended; the caller frees the vector
 * Returns: 0; -ESRCH with words when none is left.
 */
int target__threads(const struct target *t, id_vec *tids, struct error *err);

/*
 * Lists the processes of the target, each once: for what is read from /proc/PID.
 * @pids: they are appended; the caller frees the vector
 * Returns: 0 or -errno.
 */
int target__processes(const struct target *t, id_vec *pids);

/* Returns: whether the target is certain tasks, not CPUs or all. */
static inline bool target__has_tasks(const struct target *t)
{
	return t->pids.nr || t->tids.nr || t->workload;
}

/* Frees the lists. */
void target__free(struct target *t);

#endif
