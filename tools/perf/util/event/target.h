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

/* "12,34" -> numbers, appended. -EINVAL with words for anything else. */
int target__parse_ids(id_vec *ids, const char *text, const char *what, struct error *err);

/* Adds the processes that a user, named or numbered, runs now to t->pids. */
int target__add_user(struct target *t, const char *user, struct error *err);

/*
 * The threads to attach to now: -t's, the workload, and every thread of -p's. Threads that are
 * gone are left out; -ESRCH when none is left, naming the first missing one.
 */
int target__threads(const struct target *t, id_vec *tids, struct error *err);

/* Processes of the target, each once: for what is read from /proc/PID. */
int target__processes(const struct target *t, id_vec *pids);

static inline bool target__has_tasks(const struct target *t)
{
	return t->pids.nr || t->tids.nr || t->workload;
}

void target__free(struct target *t);

#endif
