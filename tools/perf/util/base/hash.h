/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One hash map: u64 keys to pointers (or to integers cast to them).
 * Open addressing, no tombstones (deletion shifts back), grows at 1/2 load.
 */
#ifndef PERF_BASE_HASH_H
#define PERF_BASE_HASH_H

#include "hash-bytes.h"

struct map64_slot {
	u64 key;
	void *value; /* NULL: free slot */
};

/* All zero is a valid empty map. Values must not be NULL. */
struct map64 {
	struct map64_slot *slots;
	size_t nr, max;
};

/* Returns: the value of @key; NULL when there is none. */
void *map64__get(const struct map64 *m, u64 key);

/*
 * Sets the value of a key.
 * @key: any number
 * @value: not NULL; borrowed
 * Returns: the value that it replaced, or NULL.
 */
void *map64__set(struct map64 *m, u64 key, void *value);

/* Removes @key. Returns its value, or NULL when there was none. */
void *map64__del(struct map64 *m, u64 key);

/* Frees the table, not the values. The map is empty then, and may be used again. */
void map64__free(struct map64 *m);

#define map64__for_each(m, s)                                             \
	for (struct map64_slot *s = (m)->slots; s && s < (m)->slots + (m)->max; s++) \
		if (s->value)

#endif
