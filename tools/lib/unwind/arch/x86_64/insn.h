/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/* The decoder of x86-64, for arch.c and for tests. */
#ifndef PERF_UNWIND_ARCH_X86_64_INSN_H
#define PERF_UNWIND_ARCH_X86_64_INSN_H

#include "../insn.h"

/*
 * Decodes the instruction at @code, of which @len bytes can be read. Returns: false when it is not
 * known.
 */
bool x86__decode(const u8 *code, size_t len, struct insn *insn);

#endif
