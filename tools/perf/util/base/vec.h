/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Growable arrays that never lack memory (mem.h). A vector is any struct with the members of
 * VEC(type):
 *
 *	VEC(u64) ips = {};
 *	*vec__push(&ips) = addr;
 *	for (size_t i = 0; i < ips.nr; i++) use(ips.v[i]);
 *	vec__free(&ips);
 */
#ifndef PERF_BASE_VEC_H
#define PERF_BASE_VEC_H

#include <stdlib.h>

#include "mem.h"
#include "../../../lib/unwind/core/vec.h"

#define vec__reserve(vec, n)                                                            \
	do {                                                                            \
		size_t _n = (n);                                                        \
		if (_n > (vec)->max) {                                                  \
			(vec)->max = vec__next_max(vec, _n);                            \
			(vec)->v = xrealloc((vec)->v, (vec)->max * sizeof(*(vec)->v));  \
		}                                                                       \
	} while (0)

/* Address of a new, uninitialised last element. */
#define vec__push(vec) ({ vec__reserve(vec, (vec)->nr + 1); &(vec)->v[(vec)->nr++]; })

#define vec__free(vec) do { free((vec)->v); (vec)->v = NULL; (vec)->nr = (vec)->max = 0; } while (0)

#endif
