/* SPDX-License-Identifier: GPL-2.0-only */
/* The machine instruction at an address, as far as the decoder of the unwinder knows its length. */
#ifndef PERF_TEXT_INSN_TEXT_H
#define PERF_TEXT_INSN_TEXT_H

#include "../symbol/symbols.h"

/*
 * @loc: where it lies, resolved as itself and not as a return address
 * Returns: its bytes, which are @symbols's; empty: an unknown one, or the file of the program, or
 *         the kernel's vmlinux, is not there.
 */
struct bytes insn__at(struct symbols *symbols, const struct location *loc);

/*
 * Finds what a call calls.
 * @addr: the return address, in the table of @dso
 * @target: out: in that table, too
 * Returns: whether the instruction in front of @addr is a call of a fixed address.
 */
bool insn__called(struct symbols *symbols, const struct dso *dso, u64 addr, u64 *target);

#endif
