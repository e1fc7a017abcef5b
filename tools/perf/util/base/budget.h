/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A total for what files that others made may cost: bytes that they have us read, or keep. Each
 * file alone may be harmless; that there are thousands of them is up to whoever made them, too.
 *
 * One budget serves several threads.
 */
#ifndef PERF_BASE_BUDGET_H
#define PERF_BASE_BUDGET_H

#include "types.h"

struct budget {
	u64 left; /* bytes */
};

/* False: there is not so much left, and nothing was taken. Without a budget (NULL) it is true. */
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

/* What was taken and is not kept any more. */
static inline void budget__give_back(struct budget *b, u64 bytes)
{
	if (b)
		__atomic_add_fetch(&b->left, bytes, __ATOMIC_RELAXED);
}

#endif
