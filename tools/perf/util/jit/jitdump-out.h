/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A jitdump file that the recorder writes, of code about which the program itself writes none. Its
 * times are of the recording's clock.
 */
#ifndef PERF_JIT_JITDUMP_OUT_H
#define PERF_JIT_JITDUMP_OUT_H

#include "jit-elf.h"

struct jitdump_out {
	int fd;
	u32 pid;
	u64 time;   /* of the records that follow: ns of the recording's clock */
	u64 number; /* of the next function */
};

struct jitdump_code {
	const char *name;
	u64 addr;               /* in the program */
	const u8 *code;
	u64 size;
	bool is_stub;           /* its instructions must not be followed: JITDUMP_STUB */
	jit_elf_bytes unwinding; /* .eh_frame; empty: it has none */
	jit_elf_bytes lines;    /* entries, as JITDUMP_DEBUG_INFO has them, .nr_lines of them */
	u64 nr_lines;
};

/*
 * Writes the header.
 * @machine: e_machine
 * Returns: 0 or -errno.
 */
int jitdump_out__begin(const struct jitdump_out *out, u16 machine);

/* Writes a function, in one piece, so that a reader sees all of it. Returns: 0 or -errno. */
int jitdump_out__code(struct jitdump_out *out, const struct jitdump_code *code);

/*
 * Writes that functions are gone, from .time on.
 * @number, @nr: the numbers of the first one, and how many
 * Returns: 0 or -errno.
 */
int jitdump_out__gone(const struct jitdump_out *out, u64 number, u64 nr);

#endif
