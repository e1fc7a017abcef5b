/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory of a living process while it is looked at: what lies near is read, too, since another
 * process may have to be asked for each. All zero is fine. Internal to this room.
 */
#ifndef PERF_RUNTIME_PEEK_H
#define PERF_RUNTIME_PEEK_H

#include "../io/process-memory.h"
#include "runtime-memory.h"

#define PEEK_WINDOWS 8

struct peek_window {
	u64 at;
	u32 len; /* 0: nothing */
	u8 bytes[PROCESS_MEMORY_MAX];
};

struct peek {
	struct memory_reader reader;
	u32 pid;
	struct peek_window windows[PEEK_WINDOWS];
	u32 next;
};

/* What is read from now on is what process @pid has now. */
void peek__begin(struct peek *p, u32 pid);

/*
 * Reads @size bytes at @addr into @to. Is of the type of runtime_memory.read.
 * @ctx: the struct peek
 * Returns: whether all of them are there.
 */
bool peek__read(void *ctx, u64 addr, void *to, size_t size);

/* Returns: the memory that is looked at; valid as long as @p. */
struct runtime_memory peek__memory(struct peek *p);

/* Frees what it has. */
void peek__free(struct peek *p);

#endif
