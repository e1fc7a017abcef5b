/* SPDX-License-Identifier: GPL-2.0-only */
/* "Did you mean ...": the names that are most similar to a mistyped word. */
#ifndef PERF_BASE_SUGGEST_H
#define PERF_BASE_SUGGEST_H

#include "../../../lib/unwind/core/types.h"

#define SUGGEST_MAX 3

struct suggest { /* all zero to begin with */
	const char *names[SUGGEST_MAX]; /* nearest first; borrowed */
	unsigned int distance[SUGGEST_MAX];
	unsigned int nr;
};

/*
 * Offers a name. It is kept if it is similar to what was typed, and among the best.
 * @typed: what the user typed, without a NUL
 * @len: its length
 * @name: borrowed until suggest__print()
 */
void suggest__try(struct suggest *s, const char *typed, size_t len, const char *name);

/*
 * Writes ". Did you mean --a or --b?", or "" if no name is similar. @prefix goes before each name.
 */
void suggest__print(const struct suggest *s, const char *prefix, char *buf, size_t size);

#endif
