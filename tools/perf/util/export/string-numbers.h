/* SPDX-License-Identifier: GPL-2.0-only */
/* Strings by number, for formats with a table of them. All zero is valid and empty. */
#ifndef PERF_EXPORT_STRING_NUMBERS_H
#define PERF_EXPORT_STRING_NUMBERS_H

#include "../base/hash.h"
#include "../base/vec.h"

struct string_numbers {
	VEC(const char *) v;
	struct map64 numbers; /* string -> number + 1 */
};

/*
 * Returns: the number of a string, from 0 in the order of appearance.
 * @s: one address for equal strings, and kept
 */
static inline u32 string_numbers__of(struct string_numbers *n, const char *s)
{
	size_t have = (uintptr_t)map64__get(&n->numbers, (uintptr_t)s);

	if (have)
		return have - 1;
	*vec__push(&n->v) = s;
	map64__set(&n->numbers, (uintptr_t)s, (void *)n->v.nr);
	return n->v.nr - 1;
}

/* Frees the table, not the strings. */
static inline void string_numbers__free(struct string_numbers *n)
{
	vec__free(&n->v);
	map64__free(&n->numbers);
}

#endif
