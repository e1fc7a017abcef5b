/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * While recording: what Java virtual machines (HotSpot: OpenJDK) have compiled, without an agent in
 * them, an option or a restart. Where a stack goes through their code, the piece of code there is
 * looked up in the code cache of the living process, and written into a jitdump file of our own
 * (own-dump.h) with the name of its method: from there on it is known as the code of any compiler.
 *
 * Only what stacks go through is read. What was read is looked at again when the machine's heaps of
 * code have changed; code that is another by then is gone. A method that is thrown away after its
 * sample, and whose memory has other code when the sample is read, some hundredths of a second
 * later, is taken for that: HotSpot waits for the stacks of all threads in between.
 *
 * The memory of processes may be anything; those of other users are read by another process
 * (process-memory.h). For one thread at a time.
 */
#ifndef PERF_RUNTIME_HOTSPOT_H
#define PERF_RUNTIME_HOTSPOT_H

#include "../jit/own-dump.h"

struct hotspot;

/*
 * @binaries: borrowed
 * @own: copied
 * Returns: what hotspot__free() frees.
 */
struct hotspot *hotspot__new(struct binaries *binaries, const struct own_dumps *own);

/* Files stay. @h may be NULL. */
void hotspot__free(struct hotspot *h);

/*
 * Looks at the addresses of a user stack.
 * @t: of the sample
 * @ips, @nr: its addresses
 * @time: its time; not before that of the last call
 * Returns: 1: code was found that was not known, or is another: the jitdump file has it from @time
 *         on; 0; or what .on_file has returned.
 */
int hotspot__look(struct hotspot *h, const struct thread *t, const u64 *ips, u64 nr, u64 time);

/* A stack that was unwound from a copy. */
struct hotspot_stack {
	const u64 *ips, *sps;   /* as in struct unwind_chain, with the next one */
	const u8 *methods;
	u64 nr;
	const u8 *bytes;        /* the copy, from .start on */
	u64 start, size;
};

/*
 * Puts the methods that the interpreter ran into a stack: into the place of its own frames, and
 * behind the innermost one, where the sample was taken. Each has an address of its own, where it is
 * known as a function without code: that of the machine's object of the method, where nothing is
 * executed.
 * @t, @time: as of hotspot__look(), which was called for the same sample
 * @stack: changed; what it points to then is valid until the next call
 * @is_new: set to true: the jitdump file has methods that it had not
 * Returns: whether there were any.
 */
bool hotspot__interpreted(struct hotspot *h, const struct thread *t, struct hotspot_stack *stack,
			  u64 time, bool *is_new);

/*
 * Returns: whether the process @pid is such a machine, and its jitdump file is ours: what is not in
 *         it now never will be.
 */
bool hotspot__tells(const struct hotspot *h, u32 pid);

/* The machine is about to forget @dso. */
void hotspot__forget(struct hotspot *h, const struct dso *dso);

/* The process @pid has ended. */
void hotspot__exit(struct hotspot *h, u32 pid);

#endif
