/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of a process that a test makes. */
#ifndef PERF_TESTS_LIB_FAKE_MEMORY_H
#define PERF_TESTS_LIB_FAKE_MEMORY_H

#include <string.h>

#include "../../../lib/unwind/core/types.h"

struct fake_memory {
	u64 base, size; /* address and bytes of what there is */
	u8 *bytes;
};

/* As runtime_memory.read. @ctx: struct fake_memory */
static inline bool fake_memory__read(void *ctx, u64 addr, void *to, size_t size)
{
	const struct fake_memory *m = ctx;

	if (addr < m->base || addr - m->base > m->size || size > m->size - (addr - m->base))
		return false;
	memcpy(to, m->bytes + (addr - m->base), size);
	return true;
}

#endif
