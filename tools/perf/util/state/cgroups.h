/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The paths of cgroups, by the numbers that samples say (perf record --all-cgroups).
 *
 *	struct cgroups c = {};
 *	cgroups__record(&c, rec);      // of every record, before the samples behind it
 *	cgroups__path(&c, s->cgroup);
 */
#ifndef PERF_STATE_CGROUPS_H
#define PERF_STATE_CGROUPS_H

#include "../base/hash.h"
#include "../base/mem.h"
#include "../data/record.h"

/* All zero: none is known. */
struct cgroups {
	struct map64 paths;  /* number -> the path */
	struct arena *arena; /* of the paths; NULL before the first one */
};

/* Takes the path of a CGROUP record; others are left alone. */
void cgroups__record(struct cgroups *c, const struct record *rec);

/* Returns: the path of the cgroup with the number @id; NULL: no record has said it. */
const char *cgroups__path(const struct cgroups *c, u64 id);

/* Frees what it knows, and makes it all zero. */
void cgroups__free(struct cgroups *c);

#endif
