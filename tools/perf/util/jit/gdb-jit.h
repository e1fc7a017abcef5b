/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * While recording: code that a program has registered for debuggers, by GDB's JIT interface
 * (__jit_debug_descriptor; "JIT Compilation Interface" in GDB's manual), which LLVM, PHP and others
 * offer. What is found is written as a jitdump file, as if the program had done it, so that a
 * reader of the recording has it, too. Nothing is told when code comes or goes: between two looks
 * at the list a place has a name only if nothing says that other code may have lain there.
 *
 * Only in processes of this user: their memory is read, which may be such that it never answers,
 * and who may make this process wait must be nobody else. For one thread at a time.
 */
#ifndef PERF_JIT_GDB_JIT_H
#define PERF_JIT_GDB_JIT_H

#include "own-dump.h"

struct gdb_jit;

struct gdb_jit_opts {
	struct machine *machine; /* borrowed, as the next one */
	struct binaries *binaries;
	struct own_dumps own;
	u64 (*now)(void *ctx);   /* returns the time of a record that would be made now */
	void *ctx;               /* of .now */
};

/*
 * @opts: copied
 * Returns: what gdb_jit__free() frees.
 */
struct gdb_jit *gdb_jit__new(const struct gdb_jit_opts *opts);

/* Closes what is open; files stay. @g may be NULL. */
void gdb_jit__free(struct gdb_jit *g);

/*
 * Looks whether a process has registered code, or taken it back, since the last look, a hundred
 * times a second at most.
 * @t: a thread of it
 * @time: of the present record
 * Returns: 0, or what .on_file has returned.
 */
int gdb_jit__look(struct gdb_jit *g, const struct thread *t, u64 time);

/* Returns: how many mappings were looked at so far, to find the list. */
u64 gdb_jit__nr_maps(const struct gdb_jit *g);

/* The machine is about to forget @dso. */
void gdb_jit__forget(struct gdb_jit *g, const struct dso *dso);

/* The process @pid has ended. */
void gdb_jit__exit(struct gdb_jit *g, u32 pid);

#endif
