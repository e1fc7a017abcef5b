/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The paths of several recordings beside each other: the ways from the outermost function inwards,
 * as a tree whose nodes are rows of a diff_table. A function that calls itself is one step.
 * Functions are the same if their names and those of their binaries are.
 */
#ifndef PERF_DIFF_PATHS_H
#define PERF_DIFF_PATHS_H

#include "../profile/hist.h"
#include "change.h"
#include "names.h"

#define DIFF_PATHS_MAX 100000 /* nodes */
#define DIFF_PATH_STEPS 512   /* of a path: what is deeper counts for the last one */

struct diff_paths {
	struct diff_table nodes; /* keys: the function, and the number of the caller's row + 1 */
	VEC(u32) callers;        /* by row: the caller's row + 1; 0: it is outermost */
	u64 nr_cut;              /* samples whose path is longer than is kept */
};

/* @p: for diff_paths__free(); @nr_runs: recordings */
void diff_paths__init(struct diff_paths *p, u32 nr_runs);

/* Frees the paths. */
void diff_paths__free(struct diff_paths *p);

/*
 * Adds all stacks of a recording, @run.
 * @names: of all recordings
 * @h: of one event; hist__finish() is not needed
 */
void diff_paths__add(struct diff_paths *p, struct diff_names *names, u32 run,
		     const struct hist *h);

/*
 * Keeps, of the changes beyond chance, the innermost ones: a caller whose change is four fifths
 * that of one of its callees, or less, says nothing more.
 * @c: of @p->nodes
 */
void diff_paths__keep_innermost(const struct diff_paths *p, struct diff_changes *c);

/* Returns: the name of the function of a node, @row. */
const char *diff_paths__name(const struct diff_paths *p, u32 row);

#endif
