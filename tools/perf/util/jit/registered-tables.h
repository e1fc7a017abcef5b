/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call frame information that a program has registered with libgcc for code that it has made
 * (__register_frame(), as LLVM's JIT compilers, LuaJIT and others do), read from its memory.
 * Internal to this room.
 *
 * libgcc tells nobody where it keeps that, but it is little: what each word of its data points to
 * is looked at, and taken if it is what libgcc has there, a list of objects (up to GCC 12) or a
 * B-tree of addresses (since), and leads to call frame information of the very code.
 */
#ifndef PERF_JIT_REGISTERED_TABLES_H
#define PERF_JIT_REGISTERED_TABLES_H

#include <sys/types.h>

#include "../state/machine.h"
#include "jit-elf.h"

/* The memory of the process. */
struct registered_memory {
	/* Reads at most REGISTERED_READ bytes. Returns: how many are in @to, 0 or -errno: none. */
	ssize_t (*read)(void *ctx, u64 addr, void *to, size_t size);
	void *ctx;
};

#define REGISTERED_READ (32u << 10)

/*
 * Finds the call frame information of a range of code. At most 256 times the memory is read.
 * @maps: of code, in which libgcc has nothing; or NULL
 * @data, @data_size: libgcc's data
 * @start, @size: the range
 * @out: its bytes are added, as those of jit_frames__range(); none when there are none
 */
void registered_tables__find(const struct registered_memory *memory, const struct maps *maps,
			     u64 data, u64 data_size, u64 start, u64 size, jit_elf_bytes *out);

#endif
