/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How stacks go through code that V8 has compiled, as call frame information (.eh_frame). Each
 * function begins with push rbp, mov rbp, rsp, and keeps rbp until it leaves its frame with mov
 * rsp, rbp, pop rbp. Its instructions are decoded in their order; as soon as they are anything
 * else, rows are for calls only, which are made in the frame. x86-64. Internal to this room.
 */
#ifndef PERF_RUNTIME_V8_ROWS_H
#define PERF_RUNTIME_V8_ROWS_H

#include "../jit/jit-elf.h"

/*
 * @code, @size: the instructions of a function
 * @out: empty; what JITDUMP_UNWINDING has; stays empty where nothing is certain
 */
void v8_rows__of_code(jit_elf_bytes *out, const u8 *code, u64 size);

#endif
