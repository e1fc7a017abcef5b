/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks of threads that call execve(): the kernel frees them half way through, and the samples
 * behind that have none. One that was sampled before, in the same stay in the kernel, is theirs.
 */
#ifndef PERF_COMPLETE_EXEC_STACKS_H
#define PERF_COMPLETE_EXEC_STACKS_H

#include "../base/vec.h"
#include "../sample/whole-sample.h"

#define EXEC_STACKS 64 /* threads that are remembered, the latest ones */

struct exec_stack {
	u32 tid;
	u64 cookie;
	enum unwind_stop stop;
	u32 found[UNWIND_METHOD_NR];
	VEC(u64) ips;
	VEC(u8) methods;
};

/* All zero: none. */
struct exec_stacks {
	struct exec_stack v[EXEC_STACKS];
	u32 nr; /* so far */
};

/* Frees the memory of all. */
void exec_stacks__free(struct exec_stacks *e);

/*
 * Remembers the user part of @ws, which was unwound.
 * @cookie: of its stay in the kernel
 */
void exec_stacks__keep(struct exec_stacks *e, const struct whole_sample *ws, u64 cookie);

/*
 * Gives @ws the user part that its thread had before, in the same stay in the kernel.
 * @ws: what it points to is valid until the next call of exec_stacks__keep()
 * @cookie: of that stay
 * Returns: false when there is none; @ws is as before.
 */
bool exec_stacks__take(const struct exec_stacks *e, struct whole_sample *ws, u64 cookie);

#endif
