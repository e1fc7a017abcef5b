/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Objects that a program gives to debuggers (the JIT interface of GDB): ELF files in its memory
 * that describe code that it has made. Written down as records of a jitdump file. Internal to this
 * room.
 */
#ifndef PERF_JIT_GDB_OBJECT_H
#define PERF_JIT_GDB_OBJECT_H

#include "jitdump-out.h"

/* The memory of a process. */
struct jit_memory {
	bool (*read)(void *ctx, u64 addr, void *to, size_t size);
	void *ctx;
};

/*
 * Writes the functions of an object. Their code is what is in the memory of the process now.
 * @data, @size: the object; of debug information nothing is used, since it is not relocated
 * Returns: 0, also when it has no functions; -ENOEXEC: it is no ELF file; another -errno.
 */
int gdb_object__write(const void *data, size_t size, const struct jit_memory *memory,
		      struct jitdump_out *out);

#endif
