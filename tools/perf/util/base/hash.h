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

void *map64__get(const struct map64 *m, u64 key); /* NULL when absent */
void *map64__set(struct map64 *m, u64 key, void *value); /* returns the value it replaced */
void *map64__del(struct map64 *m, u64 key);       /* returns what was there */
void map64__free(struct map64 *m);                /* not the values */

#define map64__for_each(m, s)                                             \
	for (struct map64_slot *s = (m)->slots; s && s < (m)->slots + (m)->max; s++) \
		if (s->value)

#endif
