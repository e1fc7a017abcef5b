/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of a process, as what reads a runtime's objects sees it. Internal to this room. */
#ifndef PERF_RUNTIME_RUNTIME_MEMORY_H
#define PERF_RUNTIME_RUNTIME_MEMORY_H

#include "../../../lib/unwind/core/types.h"

struct runtime_memory {
	bool (*read)(void *ctx, u64 addr, void *to, size_t size);
	void *ctx;
};

#endif
