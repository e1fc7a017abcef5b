/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scripts that are installed with a perf, by their names: `perf script NAME`.
 *
 * For each there are one or two shell scripts in scripts/python/bin of a folder for perf's files:
 * NAME-record records what it needs, NAME-report runs it, with lines that say "# description: ..."
 * and "# args: ...". This is how Linux perf has them, so its own are found, too, where its package
 * has put them.
 */
#ifndef PERF_SCRIPT_NAMED_H
#define PERF_SCRIPT_NAMED_H

#include "../base/vec.h"

struct named_script {
	char *name, *args, *description; /* never NULL */
	const char *root;                /* the folder that its scripts/python is in; borrowed */
	bool records, reports;           /* there is NAME-record, NAME-report */
};

struct named_scripts {
	VEC(struct named_script) v; /* by name */
};

/*
 * Looks for scripts.
 * @roots: folders to look in, until NULL; of two scripts of one name the first is taken. They must
 *         live as long as @s.
 */
void named_scripts__read(struct named_scripts *s, const char *const *roots);

/* Frees what named_scripts__read() has filled in. */
void named_scripts__free(struct named_scripts *s);

/* Returns: the script called @name, or NULL. */
const struct named_script *named_scripts__find(const struct named_scripts *s, const char *name);

/* Returns: the path of NAME-@what ("record", "report"), which the caller frees. */
char *named_script__path(const struct named_script *s, const char *what);

/* Returns: how many arguments it must have, which @s has as "<comm>" in its line of arguments. */
size_t named_script__nr_required(const struct named_script *s);

#endif
