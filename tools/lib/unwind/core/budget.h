/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * A limit for what the files of others may cost together, such as bytes to read or to keep.
 *
 * A limit for each file is not enough, since whoever made one expensive file can make thousands.
 *
 * Several threads may take from the same budget.
 */
#ifndef PERF_UNWIND_CORE_BUDGET_H
#define PERF_UNWIND_CORE_BUDGET_H

#include "types.h"

struct budget {
	u64 left; /* bytes */
};

/*
 * Takes @bytes from a budget, all of them or none.
 * @b: NULL is a budget without limit
 * Returns: false when fewer are left.
 */
static inline bool budget__take(struct budget *b, u64 bytes)
{
	u64 left = b ? __atomic_load_n(&b->left, __ATOMIC_RELAXED) : 0;

	do {
		if (b && left < bytes)
			return false;
	} while (b && !__atomic_compare_exchange_n(&b->left, &left, left - bytes, true,
						   __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return true;
}

/* Gives back @bytes that were taken and are no longer needed. @b may be NULL. */
static inline void budget__give_back(struct budget *b, u64 bytes)
{
	if (b)
		__atomic_add_fetch(&b->left, bytes, __ATOMIC_RELAXED);
}

#endif
