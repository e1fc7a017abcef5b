/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How whole user stacks are recorded with --defer: does the kernel follow frame pointers on its way
 * back to user space, or is the stack copied and unwound here? DEFER_BPF is
 * DEFER_COPY here: what its program cannot walk, it copies.
 *
 * The kernel's way costs least, but its unwinder knows frame pointers only: it is taken when a
 * test sample shows that it works and the target's code keeps them.
 */
#ifndef PERF_RECORD_DEFER_CHOICE_H
#define PERF_RECORD_DEFER_CHOICE_H

#include "../live/probe.h"
#include "../event/sampling.h"
#include "../event/target.h"

enum defer_mode { DEFER_AUTO, DEFER_KERNEL, DEFER_COPY, DEFER_BPF };

struct defer_choice {
	enum user_stack stack; /* USER_STACK_DEFER or USER_STACK_COPY */
	/*
	 * USER_STACK_COPY of programs of Go: samples need the kernel's chain by frame pointers,
	 * too. Go's runtime works on stacks of its own; who has called it is on one that no copy
	 * has.
	 */
	bool fp_chain;
	char why[256];
};

/*
 * Chooses.
 * @out: filled
 * @argv: the workload, or NULL
 * Returns: 0; -EOPNOTSUPP with words when DEFER_KERNEL was asked for and the kernel does not defer.
 */
int defer_choice__make(struct defer_choice *out, enum defer_mode mode,
		       const struct target *target, const char *const *argv, struct error *err);

/*
 * The same, for a kernel that has answered @probed. @argv: the workload, or NULL. Returns as
 * defer_choice__make().
 */
int defer_choice__judge(struct defer_choice *out, enum defer_mode mode, enum probe_defer probed,
			const struct target *target, const char *const *argv, struct error *err);

#endif
