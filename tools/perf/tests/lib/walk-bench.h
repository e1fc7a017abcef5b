/* SPDX-License-Identifier: GPL-2.0-only */
/* A made-up binary, registers and a small stack, and the walk over them, for tests. */
#ifndef PERF_TESTS_LIB_WALK_BENCH_H
#define PERF_TESTS_LIB_WALK_BENCH_H

#include "../../util/unwinder/unwinder.h"
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
	bool no_work; /* all that following code may cost was spent by others */
	u64 seed;
	struct unwinder *u;
	struct unwind_space *space;
	struct unwind_regs regs;
	u64 stack[WORDS];
	const u64 *by_fp; /* a chain that was found by frame pointers, of so many; NULL: none */
	u64 nr_by_fp;
	u64 ips[16];
	struct unwind_chain chain;
};

u64 random_u64(u64 *seed);

/* x86-64: rsp at the stack's start; CFA = rsp + 8, RA at CFA - 8, at every function's entry. */
void bench__x86(struct bench *b, u64 pc);
/* aarch64: sp at the stack's start; CFA = sp, RA in x30. */
void bench__aarch64(struct bench *b, u64 pc);

/* Makes .u and .space, and frees them. */
void bench__open(struct bench *b, const char *arch, const char *backend);
void bench__close(struct bench *b);

void bench__walk_by(struct bench *b, const char *arch, const char *backend);
void bench__walk(struct bench *b, const char *arch); /* by libdw and by rows, which must agree */

/* Function number @nr, of 0x100 bytes, with its CFI, and an address in it. */
#define FUNCTION(b, nr, ...)                                                               \
	elf_build__add(&(b)->elf, ELF_TEXT + 0x100 * (nr), 0x100, (const u8[]){ __VA_ARGS__ }, \
		       sizeof((const u8[]){ __VA_ARGS__ }))
#define AT(nr, off) (TEXT + 0x100 * (nr) + (off))

/* How the walk has ended, and all of its addresses. */
#define EXPECT(b, why, ...)                                                    \
	do {                                                                   \
		const u64 _want[] = { __VA_ARGS__ };                           \
		for (u32 _i = 0; _i < ARRAY_SIZE(_want) && _i < (b)->chain.nr; _i++) \
			TEST_EQ((b)->ips[_i], _want[_i]);                      \
		TEST_EQ((b)->chain.nr, ARRAY_SIZE(_want));                     \
		TEST_EQ((b)->chain.stop, why);                                 \
	} while (0)

#endif
