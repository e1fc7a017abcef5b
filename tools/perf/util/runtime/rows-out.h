/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes call frame information (.eh_frame) of a piece of code, as JITDUMP_UNWINDING has it: it
 * ends where the code does, in whole words, in front of it. x86-64. Internal to this room.
 */
#ifndef PERF_RUNTIME_ROWS_OUT_H
#define PERF_RUNTIME_ROWS_OUT_H

#include "../jit/jit-elf.h"

/* Of DWARF: registers of x86-64, encodings and operations. */
enum { RAX = 0, RBP = 6, RSP = 7, R13 = 13, RA = 16, XMM0 = 17 };
enum { PCREL_SDATA4 = 0x1b };
enum {
	CFA_OFFSET = 0x80, CFA_REGISTER = 0x09, CFA_DEF_CFA = 0x0c,
	CFA_DEF_CFA_EXPRESSION = 0x0f, CFA_EXPRESSION = 0x10
};

/* The CFA is by a register that is in no sample: a walk ends here, and is not whole. */
#define ROWS_OUT_UNKNOWN { CFA_DEF_CFA, XMM0, 0, CFA_OFFSET | RA, 1 }

/*
 * Adds rules.
 * @program, @size: of DWARF, by units of -8 bytes
 * Returns: where they are.
 */
size_t rows_out__rules(jit_elf_bytes *out, const u8 *program, size_t size);

/*
 * Adds a range that rules are for.
 * @code_size: of the whole code
 * @at, @size: the range, in the code
 * @rules: as of rows_out__rules()
 */
void rows_out__range(jit_elf_bytes *out, u64 code_size, u64 at, u64 size, size_t rules);

/* Adds the end. */
void rows_out__end(jit_elf_bytes *out);

/* Returns: whether what is in front of @at of @code seems to be a call: E8, or FF of a register. */
bool rows_out__is_behind_call(const u8 *code, u64 at);

#endif
