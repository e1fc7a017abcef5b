/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Growable arrays, whose memory is the caller's (env.h):
 *
 *	VEC(struct row) rows = {};
 *	struct row *row = vec__add(env, &rows);
 *	if (row) *row = ...;
 *	vec__drop(env, &rows);
 */
#ifndef PERF_UNWIND_CORE_VEC_H
#define PERF_UNWIND_CORE_VEC_H

#include "env.h"

#define VEC(type) struct { type *v; size_t nr, max; }

/*
 * How many elements to make room for, when there have to be @n. Under the address sanitizer small
 * vectors move each time one is added, so that any use of an address from before is found.
 */
#ifdef __SANITIZE_ADDRESS__
#define vec__next_max(vec, n) max_of((size_t)(n), (vec)->max < 64 ? (size_t)0 : (vec)->max * 2)
#else
#define vec__next_max(vec, n) max_of((size_t)(n), (vec)->max ? (vec)->max * 2 : (size_t)8)
#endif

/* Room for @n elements in all. False: out of memory, and the vector is as it was. */
#define vec__room(env, vec, n)                                                              \
	({                                                                                  \
		size_t _n = (n);                                                            \
		bool _fits = _n <= (vec)->max;                                              \
		if (unlikely(!_fits)) {                                                     \
			size_t _max = vec__next_max(vec, _n);                               \
			void *_v = env__resize(env, (vec)->v, _max * sizeof(*(vec)->v));    \
			_fits = _v != NULL;                                                 \
			if (_fits) {                                                        \
				(vec)->v = _v;                                              \
				(vec)->max = _max;                                          \
			}                                                                   \
		}                                                                           \
		_fits;                                                                      \
	})

/* Address of a new, uninitialised last element; NULL: out of memory. */
#define vec__add(env, vec) (vec__room(env, vec, (vec)->nr + 1) ? &(vec)->v[(vec)->nr++] : NULL)

/* Frees it; it is empty then. */
#define vec__drop(env, vec)                                                                 \
	do {                                                                                \
		env__free(env, (vec)->v);                                                   \
		(vec)->v = NULL;                                                            \
		(vec)->nr = (vec)->max = 0;                                                 \
	} while (0)

#endif
