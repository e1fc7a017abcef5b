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

#endif
