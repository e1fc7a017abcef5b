/* SPDX-License-Identifier: GPL-2.0-only */
/* Call frame information of code in memory, function by function. */
#ifndef PERF_JIT_JIT_FRAMES_H
#define PERF_JIT_JIT_FRAMES_H

#include "jit-elf.h"

struct jit_frames {
	const u8 *data;   /* .eh_frame */
	size_t size;
	u64 addr;         /* where it lies in the process; 0: it is not loaded */
	u64 text;         /* where .text lies */
};

/*
 * Copies the call frame information of one function, in the form of JITDUMP_UNWINDING: addresses
 * relative to code that ends in front of it. (LSB 5.0, 10.6; DWARF 5, 6.4.)
 * @start, @size: of the function
 * @out: empty; its bytes, none if nothing describes the function alone
 */
void jit_frames__function(const struct jit_frames *f, u64 start, u64 size, jit_elf_bytes *out);

/* Functions that begin so far in front of the code, or are so long, are left out. */
#define JIT_FRAMES_REACH (1ll << 28)
#define JIT_FRAMES_MAX (1u << 20) /* bytes; then no more are added */

/*
 * Adds the call frame information of all functions that reach into a range of code, in the same
 * form. There is nothing behind the last one: it may be called again for the same range.
 * @start, @size: of the range
 */
void jit_frames__range(const struct jit_frames *f, u64 start, u64 size, jit_elf_bytes *out);

/*
 * Adds a number in the form LEB128.
 * @v: two's complement, if @is_signed
 */
void jit_frames__put_leb(jit_elf_bytes *out, u64 v, bool is_signed);

/* Ends an entry that began at @at of @out, with 4 bytes for its length. */
void jit_frames__end(jit_elf_bytes *out, size_t at);

#endif
