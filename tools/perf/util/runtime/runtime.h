/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * While recording: the functions of runtimes (virtual machines, interpreters) that run without an
 * agent, an option or a restart. What is found is written into jitdump files of our own
 * (own-dump.h): from there on it is known as the code of any compiler.
 *
 * Each runtime is a struct runtime_kind (runtime-kind.h), and known in this room only. A runtime is
 * found by what a process maps. Only what stacks go through is read.
 *
 * The memory of processes may be anything; those of other users are read by another process
 * (process-memory.h). For one thread at a time.
 */
#ifndef PERF_RUNTIME_RUNTIME_H
#define PERF_RUNTIME_RUNTIME_H

#include "../base/error.h"
#include "../data/walk-note.h"
#include "../jit/own-dump.h"

struct runtime_names;

/* A stack that was unwound from a copy, or was walked in the kernel. */
struct runtime_stack {
	const u64 *ips, *sps;   /* as in struct unwind_chain, with the next one; NULL: walked */
	const u8 *methods;
	u64 nr;
	const u8 *bytes;        /* the copy, from .start on; or none */
	u64 start, size;
	const struct walk_note *note; /* of the program in the kernel; NULL: there is none */
	const u8 *python;             /* with .note: what it has read: data/python-frames.h */
	/* Tells that program where the frames of Python are in the process @pid. May be NULL. */
	void (*tell)(void *ctx, u32 pid, const struct walk_note *note,
		     const struct python_layout *at);
	void *tell_ctx;
};

/*
 * @list: names of runtimes, with commas: "java"; "all"; "none"
 * Returns: 0; or with words -EINVAL: one of them is not known; or -EOPNOTSUPP: none is on this
 * machine.
 */
int runtime_names__check(const char *list, struct error *err);

/*
 * @list: as above, and right; NULL: all
 * @binaries: borrowed
 * @own: copied
 * Returns: what runtime_names__free() frees; NULL: there is none to look for, or none is known on
 * this machine.
 */
struct runtime_names *runtime_names__new(const char *list, struct binaries *binaries,
					 const struct own_dumps *own);

/* Files stay. @r may be NULL, here and below. */
void runtime_names__free(struct runtime_names *r);

/*
 * Looks at the addresses of a user stack.
 * @t: of the sample
 * @ips, @nr: its addresses
 * @time: its time; not before that of the last call
 * Returns: 1: code was found that was not known, or is another: the jitdump file has it from @time
 *         on; 0; or what .on_file has returned.
 */
int runtime_names__look(struct runtime_names *r, const struct thread *t, const u64 *ips, u64 nr,
			u64 time);

/*
 * Puts the functions that interpreters ran into a stack, into the place of the interpreters' own
 * frames. Each function has an address of its own, where it is known as a function without code,
 * and nothing is ever executed.
 * @t, @time: as of runtime_names__look(), which was called for the same sample
 * @stack: changed; what it points to then is valid until the next call
 * Returns: 1: the jitdump file has functions that it had not; 0; or what .on_file has returned.
 */
int runtime_names__frames(struct runtime_names *r, const struct thread *t,
			  struct runtime_stack *stack, u64 time);

/*
 * Returns: whether the process @pid is such a runtime, and its jitdump file is ours: what is not in
 *         it now never will be.
 */
bool runtime_names__tells(const struct runtime_names *r, u32 pid);

/* The machine is about to forget @dso. */
void runtime_names__forget(struct runtime_names *r, const struct dso *dso);

/* The process @pid has ended. */
void runtime_names__exit(struct runtime_names *r, u32 pid);

#endif
