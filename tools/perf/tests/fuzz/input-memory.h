/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of a process that is an input: its bytes are at each address anew. */
#ifndef PERF_TESTS_FUZZ_INPUT_MEMORY_H
#define PERF_TESTS_FUZZ_INPUT_MEMORY_H

#include "input.h"

struct input_memory {
	struct bytes bytes;
	u32 left; /* reads that succeed */
};

/* As runtime_memory.read. @ctx: struct input_memory. There is nothing at some addresses. */
static inline bool input_memory__read(void *ctx, u64 addr, void *to, size_t size)
{
	struct input_memory *m = ctx;

	if (!m->left || !m->bytes.len || (addr & 0xff) == 0xff)
		return false;
	m->left--;
	for (size_t i = 0; i < size; i++)
		((u8 *)to)[i] = m->bytes.data[(addr + i) % m->bytes.len];
	return true;
}

#endif
