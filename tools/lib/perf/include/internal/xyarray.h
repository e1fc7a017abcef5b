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

static inline int xyarray__max_x(const struct xyarray *xy)
{
	return xy ? xy->max_x : 0;
}

static inline int xyarray__max_y(const struct xyarray *xy)
{
	return xy ? xy->max_y : 0;
}

/* NULL outside of the matrix, and of no matrix. */
static inline void *xyarray__entry(struct xyarray *xy, int x, int y)
{
	if (x < 0 || y < 0 || x >= xyarray__max_x(xy) || y >= xyarray__max_y(xy))
		return NULL;
	return xy->contents + ((size_t)x * xy->max_y + y) * xy->entry_size;
}

static inline void xyarray__delete(struct xyarray *xy)
{
	free(xy);
}

#endif
