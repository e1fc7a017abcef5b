/* SPDX-License-Identifier: GPL-2.0-only */
/* A made-up binary, registers and a small stack, and the walk over them, for tests. */
#ifndef PERF_TESTS_WALK_BENCH_H
#define PERF_TESTS_WALK_BENCH_H

#include "../util/unwind/unwind.h"
#include "elf-builder.h"

#define BIAS 0x7f0000000000ULL
#define TEXT (BIAS + ELF_TEXT)
#define SP 0x7ffd00000000ULL
#define WORDS 96

struct bench {
	struct elf_build elf;
	int fd;
	u64 again; /* where the same file is mapped once more; 0: nowhere */
	u64 jit;   /* where 4 kB of code without a file are mapped; 0: nowhere */
	u32 flips; /* bits of the file, but not of the code, that are to be wrong */
	bool broken; /* the backends need not agree */
	u64 seed;
	struct unwinder *u;
	struct unwind_space *space;
	struct unwind_regs regs;
	u64 stack[WORDS];
	u64 ips[16];
	struct unwind_chain chain;
};

u64 random_u64(u64 *seed);

/* x86-64: rsp at the stack's start; CFA = rsp + 8, RA at CFA - 8, at every function's entry. */
void bench__x86(struct bench *b, u64 pc);
/* aarch64: sp at the stack's start; CFA = sp, RA in x30. */
void bench__aarch64(struct bench *b, u64 pc);

void bench__walk_by(struct bench *b, const char *arch, const char *backend);
void bench__walk(struct bench *b, const char *arch); /* by libdw and by rows, which must agree */

#endif
