/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the stage asks of, and tells to, a program in the kernel that walks stacks at the moment of
 * a sample (data/walk-note.h): whether its chains can be believed, and what it could not walk.
 */
#ifndef PERF_COMPLETE_KERNEL_WALK_H
#define PERF_COMPLETE_KERNEL_WALK_H

#include "../data/walk-note.h"
#include "../state/machine.h"
#include "../unwinder/unwinder.h"

struct kernel_walk {
	/*
	 * How many of a chain's @nr addresses @ips were found by the mappings of its sample's time?
	 * NULL: no such program.
	 */
	u64 (*believes)(void *ctx, const struct thread *t, const struct walk_note *note,
			const u64 *ips, u64 nr);
	/* A stack that came as a copy was walked in @space. */
	void (*learn)(void *ctx, const struct thread *t, const struct walk_note *note,
		      struct unwind_space *space, const struct unwind_chain *chain);
	/* A chain was compared with a walk of the copy of its stack. NULL: not wanted. */
	void (*compared)(void *ctx, bool same);
	/* The frames of Python in the process @pid can be read like this. */
	void (*python)(void *ctx, u32 pid, const struct walk_note *note,
		       const struct python_layout *at);
	/* A process has ended. */
	void (*exit)(void *ctx, u32 pid);
	/* The unwinder forgets a module. */
	void (*forget)(void *ctx, u32 module);
	void *ctx;
};

/* To be called for each record that is not a sample, @rec, in order, when @m has had it. */
static inline void kernel_walk__record(const struct kernel_walk *kw, struct machine *m,
				       const struct record *rec)
{
	if (kw->exit && rec->hdr->type == PERF_RECORD_EXIT && machine__process_ended(m, rec->pid))
		kw->exit(kw->ctx, rec->pid);
}

#endif
