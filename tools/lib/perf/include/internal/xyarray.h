/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/* A matrix of equal entries, zeroed: what an event has for each CPU (x) and thread (y). */
#ifndef LIBPERF_INTERNAL_XYARRAY_H
#define LIBPERF_INTERNAL_XYARRAY_H

#include <stdlib.h>

struct xyarray {
	size_t entry_size;
	int max_x, max_y;
	char contents[] __attribute__((aligned(8)));
};

/*
 * @xlen, @ylen: number of CPUs and threads
 * @entry_size: bytes of an entry
 * Returns: a matrix for xyarray__delete(), zeroed; NULL: out of memory, or an invalid size.
 */
static inline struct xyarray *xyarray__new(int xlen, int ylen, size_t entry_size)
{
	struct xyarray *xy;
	size_t nr, size;

	if (xlen < 0 || ylen < 0 || __builtin_mul_overflow((size_t)xlen, (size_t)ylen, &nr) ||
	    __builtin_mul_overflow(nr, entry_size, &size) ||
	    __builtin_add_overflow(size, sizeof(*xy), &size))
		return NULL;
	xy = calloc(1, size);
	if (xy) {
		xy->entry_size = entry_size;
		xy->max_x = xlen;
		xy->max_y = ylen;
	}
	return xy;
}

/* Returns: the number of CPUs; 0 for NULL. */
static inline int xyarray__max_x(const struct xyarray *xy)
{
	return xy ? xy->max_x : 0;
}

/* Returns: the number of threads; 0 for NULL. */
static inline int xyarray__max_y(const struct xyarray *xy)
{
	return xy ? xy->max_y : 0;
}

/*
 * Returns: the entry of the indices @x and @y; NULL when it is outside of the matrix, or @xy is
 *         NULL.
 */
static inline void *xyarray__entry(struct xyarray *xy, int x, int y)
{
	if (x < 0 || y < 0 || x >= xyarray__max_x(xy) || y >= xyarray__max_y(xy))
		return NULL;
	return xy->contents + ((size_t)x * xy->max_y + y) * xy->entry_size;
}

/* @xy may be NULL. */
static inline void xyarray__delete(struct xyarray *xy)
{
	free(xy);
}

#endif
