/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An array that may grow without bound but uses a bounded amount of memory: beyond a limit it moves
 * to a mapping of an unlinked temporary file, which the system can write out. If there is no space
 * for the file, the array stays in memory.
 */
#ifndef PERF_IO_BIG_ARRAY_H
#define PERF_IO_BIG_ARRAY_H

#include "../../../lib/unwind/core/types.h"

struct big_array {
	void *v;
	size_t nr, max;   /* items */
	size_t item;      /* bytes of one */
	size_t limit;     /* bytes of memory */
	size_t mapped;    /* bytes of a mapping of its own; 0: allocated */
	int fd;           /* -1: in memory */
};

/*
 * An empty array.
 * @item: bytes of an item
 * @limit: bytes of memory, beyond which a file is used
 */
void big_array__init(struct big_array *a, size_t item, size_t limit);

/* Frees the memory, or closes the file. The array must be initialized again before another use. */
void big_array__free(struct big_array *a);

/* Internal: makes room for another item. Ends the program when there is no memory, as xmalloc(). */
void big_array__grow(struct big_array *a);

/* Returns: the address of a new, uninitialised last item; valid until the next one is pushed. */
static inline void *big_array__push(struct big_array *a)
{
	if (a->nr == a->max)
		big_array__grow(a);
	return (u8 *)a->v + a->nr++ * a->item;
}

#endif
