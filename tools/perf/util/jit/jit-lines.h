/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Source lines of code that was made at run time: looked up, or written as DWARF 4. Internal to
 * this room.
 */
#ifndef PERF_JIT_JIT_LINES_H
#define PERF_JIT_JIT_LINES_H

#include "jit-elf.h"

/* Add the contents of the sections of these names to @out. */
void jit_lines__debug_line(jit_elf_bytes *out, const struct jit_elf *in);
void jit_lines__debug_info(jit_elf_bytes *out, const struct jit_elf *in);
void jit_lines__debug_abbrev(jit_elf_bytes *out);

/*
 * Finds the entry of an address.
 * @addr: of an instruction, where the code ran
 * @line: out: the entry; .file points into @in
 * Returns: false when there is none.
 */
bool jit_lines__find(const struct jit_elf *in, u64 addr, struct jit_line *line);

#endif
