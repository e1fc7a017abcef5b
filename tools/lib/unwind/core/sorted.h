/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/* Search in what is in order. */
#ifndef PERF_UNWIND_CORE_SORTED_H
#define PERF_UNWIND_CORE_SORTED_H

#include "types.h"

/*
 * The number of those that come first: of @n things, @is_first holds for the first ones and for no
 * other. It is an expression of @i, the index of the thing that it is about.
 *
 *	at = partition_point(v->nr, i, v->v[i].start <= addr);
 */
#define partition_point(n, i, is_first)                           \
	({                                                        \
		size_t _lo = 0, _hi = (n);                        \
		while (_lo < _hi) {                               \
			const size_t i = _lo + (_hi - _lo) / 2;   \
			if (is_first)                             \
				_lo = i + 1;                      \
			else                                      \
				_hi = i;                          \
		}                                                 \
		_lo;                                              \
	})

#endif
