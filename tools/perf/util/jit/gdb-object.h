/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Objects that a program gives to debuggers (the JIT interface of GDB): ELF files in its memory
 * that describe code that it has made. Written down as records of a jitdump file. Internal to this
 * room.
 */
#ifndef PERF_JIT_GDB_OBJECT_H
#define PERF_JIT_GDB_OBJECT_H

#include "jit-elf.h"

/* The memory of a process. */
struct jit_memory {
	bool (*read)(void *ctx, u64 addr, void *to, size_t size);
	void *ctx;
};

/* A jitdump file that is being written. */
struct jitdump_out {
	int fd;
	u32 pid;
	u64 time;   /* of the records that follow: ns of the recording's clock */
	u64 number; /* of the next function */
};

/*
 * Writes the header.
 * @machine: e_machine
 * Returns: 0 or -errno.
 */
int jitdump_out__begin(const struct jitdump_out *out, u16 machine);

/*
 * Writes that functions are gone, from .time on.
 * @number, @nr: the numbers of the first one, and how many
 * Returns: 0 or -errno.
 */
int jitdump_out__gone(const struct jitdump_out *out, u64 number, u64 nr);

/*
 * Writes the functions of an object. Their code is what is in the memory of the process now.
 * @data, @size: the object; of debug information nothing is used, since it is not relocated
 * Returns: 0, also when it has no functions; -ENOEXEC: it is no ELF file; another -errno.
 */
int gdb_object__write(const void *data, size_t size, const struct jit_memory *memory,
		      struct jitdump_out *out);

#endif
