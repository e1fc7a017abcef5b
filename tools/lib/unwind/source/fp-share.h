/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Does a binary keep frame pointers? Its .eh_frame says so: compiled code that keeps them has the
 * CFA on the frame pointer in nearly all of each function's body, code that does not has it on
 * the stack pointer. (aarch64 finds the CFA by the stack pointer in both cases; there a row in
 * which the caller's x29 was saved counts as one that keeps it.)
 *
 * Reads the whole of .eh_frame, some milliseconds for a large library; bounded on hostile input.
 */
#ifndef PERF_UNWIND_SOURCE_FP_SHARE_H
#define PERF_UNWIND_SOURCE_FP_SHARE_H

#include "../core/env.h"

/* Bytes of code by what their rows say. */
struct fp_share {
	u64 fp, sp, other;
};

/*
 * Adds the rows of the ELF file @fd, which stays the caller's, to @out.
 * Returns: 0; -ENOENT when it has no .eh_frame; -EINVAL when it is no ELF file of an architecture
 * that we know, or broken (what was read until then is added); -ENOMEM.
 */
int fp_share__add(const struct unwind_env *env, struct fp_share *out, int fd);

/* Returns: percent of the code that has rows that keep a frame pointer; 0 when there is none. */
unsigned int fp_share__percent(const struct fp_share *s);

#endif
