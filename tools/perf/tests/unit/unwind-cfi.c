// SPDX-License-Identifier: GPL-2.0-only
/*
 * The unwinder on made-up binaries and stacks: other architectures, hostile rows, and each way to
 * be, or not to be, at the outermost frame. And the share of frame pointers.
 */
#include <elf.h>
#include <unistd.h>

#include "../../util/elf/elf-file.h"
#include "../../util/io/mapfile.h"
#include "../../../lib/unwind/source/fp-share.h"
#include "../../util/unwinder/unwinder.h"
#include "../test.h"
#include "../lib/walk-bench.h"

TEST(unwind_cfi_ends, "unwind: undefined, zero and entry are outermost; a hole is not")
{
	static const u8 undefined[] = { 0x07, 16 };
	/* One argument, no variables, the size of a page: see walk-root.c. */
	static const u64 program[] = { 1, SP, 0, 0, AT_PAGESZ, 4096, AT_NULL, 0 };
	struct bench b;

	bench__x86(&b, TEXT + 0x10);
	elf_build__add(&b.elf, ELF_TEXT, 0x100, NULL, 0);
	elf_build__add(&b.elf, ELF_TEXT + 0x100, 0x100, undefined, sizeof(undefined));
	b.elf.entry = ELF_TEXT + 0x800;
	b.stack[0] = TEXT + 0x20;
	b.stack[1] = TEXT + 0x120;
	bench__walk(&b, "x86_64");
	TEST_EQ(b.chain.nr, 3);
	TEST_EQ(b.ips[1], TEXT + 0x20);
	TEST_EQ(b.ips[2], TEXT + 0x120);
	TEST_EQ(b.chain.stop, UNWIND_OUTERMOST);

	/* A return address at the very start of a function belongs to the one before, */
	b.stack[1] = TEXT + 0x100;
	b.stack[2] = 0;
	memcpy(b.elf.code + 0xfb, "\xe8\x00\x01\x00\x00", 5);
	bench__walk(&b, "x86_64");
	TEST_EQ(b.chain.nr, 3);
	TEST_EQ(b.chain.stop, UNWIND_OUTERMOST);

	/* which ends in a call: else it is what clone() calls in a new process, and no caller. */
	memset(b.elf.code + 0xfb, 0, 5);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_BAD_RA, TEXT + 0x10, TEXT + 0x20, TEXT + 0x100);

	b.stack[1] = TEXT + 0x400;
	bench__walk(&b, "x86_64");
	TEST_EQ(b.chain.nr, 3);
	TEST_EQ(b.chain.stop, UNWIND_NO_ROW);

	/* Near the entry, but a neighbour of it for all that is known. */
	b.stack[1] = TEXT + 0x808;
	bench__walk(&b, "x86_64");
	TEST_EQ(b.chain.stop, UNWIND_NO_ROW);
	b.regs.v[8] = TEXT + 0x800;
	memcpy(b.stack, program, sizeof(program));
	bench__walk(&b, "x86_64");
	TEST_EQ(b.chain.nr, 1);
	TEST_EQ(b.chain.stop, UNWIND_OUTERMOST);

	b.regs.v[8] = TEXT + 0x10;
	b.stack[0] = TEXT + 0x20;
	b.stack[1] = 0x1234;
	bench__walk(&b, "x86_64");
	TEST_EQ(b.chain.nr, 2);
	TEST_EQ(b.chain.stop, UNWIND_BAD_RA);
}

/* The last one of three frames is in a function at 0x100 of 0x100 bytes, with rows by @program. */
static enum unwind_stop stop_in(const u8 *program, size_t size, const char *code, size_t len)
{
	struct bench b;

	bench__x86(&b, TEXT + 0x10);
	elf_build__add(&b.elf, ELF_TEXT, 0x100, NULL, 0);
	elf_build__add(&b.elf, ELF_TEXT + 0x100, 0x100, program, size);
	memset(b.elf.code + 0x100, 0x90, 0x100);
	memcpy(b.elf.code + 0x130, code, len);
	b.stack[0] = TEXT + 0x20;
	b.stack[1] = TEXT + 0x120;
	b.stack[2] = TEXT + 0x30;
	bench__walk_by(&b, "x86_64", "table");
	TEST_EQ(b.ips[2], TEXT + 0x120);
	return b.chain.stop;
}

TEST(unwind_cfi_undefined, "unwind: no stack ends in a function that returns, whatever rows say")
{
	static const u8 all[] = { 0x07, 16 }, some[] = { 0x0a, 0x07, 16, 0x40 | 0x36, 0x0b };
	static const struct { const char *code; size_t len; bool ends; } cases[] = {
		{ "\x90", 1, true },
		{ "\xf4", 1, true },                       /* hlt */
		{ "\xeb\x10", 2, true },                   /* jumps within the function */
		{ "\x0f\x84\x10\x00\x00\x00", 6, true },
		{ "\xe8\x00\x01\x00\x00", 5, true },       /* calls */
		{ "\xc3", 1, false },
		{ "\xc2\x08\x00", 3, false },
		{ "\xff\xe0", 2, false },                  /* jumps to elsewhere */
		{ "\xe9\x00\x01\x00\x00", 5, false },
		{ "\x0f\x84\x00\x01\x00\x00", 6, false },
		{ "\x06", 1, false },                      /* is no instruction */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		TEST_EQ(stop_in(all, sizeof(all), cases[i].code, cases[i].len),
			cases[i].ends ? UNWIND_OUTERMOST : UNWIND_UNKNOWN_REG);
	/* A row that goes over into one that has a caller, and one that does not. */
	TEST_EQ(stop_in(some, sizeof(some), "\x90", 1), UNWIND_UNKNOWN_REG);
	TEST_EQ(stop_in(some, sizeof(some), "\x90\x90\x90\x90\x90\xf4", 6),
		UNWIND_OUTERMOST);
}

TEST(unwind_cfi_progress, "unwind: rows that go nowhere end the walk")
{
	static const u8 fixed[] = { 0x0c, 6, 16 }; /* CFA = rbp + 16, and rbp stays */
	static const u8 below[] = { 0x0c, 7, 0 };  /* RA below the stack pointer */
	struct bench b;

	bench__x86(&b, TEXT + 0x10);
	elf_build__add(&b.elf, ELF_TEXT, 0x100, fixed, sizeof(fixed));
	b.regs.v[6] = SP;
	b.stack[1] = TEXT + 0x20;
	bench__walk(&b, "x86_64");
	TEST_EQ(b.chain.stop, UNWIND_NO_PROGRESS);
	TEST_EQ(b.chain.nr, 2);

	bench__x86(&b, TEXT + 0x10);
	elf_build__add(&b.elf, ELF_TEXT, 0x100, below, sizeof(below));
	bench__walk(&b, "x86_64");
	TEST_EQ(b.chain.stop, UNWIND_NO_PROGRESS);
	TEST_EQ(b.chain.nr, 1);

	/* rbp was not captured: the rule that needs it fails. */
	bench__x86(&b, TEXT + 0x10);
	elf_build__add(&b.elf, ELF_TEXT, 0x100, fixed, sizeof(fixed));
	b.regs.known &= ~BIT_ULL(6);
	bench__walk(&b, "x86_64");
	TEST_EQ(b.chain.stop, UNWIND_UNKNOWN_REG);
}

TEST(unwind_cfi_vfork, "unwind: a leaf whose return address is in a register, as vfork()'s")
{
	static const u8 in_rbx[] = { 0x0e, 0, 0x09, 16, 3 }; /* CFA = rsp, RA in rbx */
	struct bench b;

	bench__x86(&b, TEXT + 0x10);
	elf_build__add(&b.elf, ELF_TEXT, 0x100, in_rbx, sizeof(in_rbx));
	elf_build__add(&b.elf, ELF_TEXT + 0x100, 0x100, NULL, 0);
	b.regs.known |= BIT_ULL(1);
	b.regs.v[1] = TEXT + 0x120;
	b.stack[0] = 0;
	bench__walk(&b, "x86_64");
	TEST_EQ(b.chain.stop, UNWIND_OUTERMOST);
	TEST_EQ(b.chain.nr, 2);
	TEST_EQ(b.ips[1], TEXT + 0x120);
}

TEST(unwind_cfi_twice, "unwind: one file at two places of one process")
{
	struct bench b;

	bench__x86(&b, TEXT + 0x10);
	elf_build__add(&b.elf, ELF_TEXT, ELF_TEXT_SIZE, NULL, 0);
	b.again = TEXT + 0x100000;
	b.stack[0] = b.again + 0x20;
	b.stack[1] = TEXT + 0x30;
	b.stack[2] = b.again + 0x40;
	/* Behind a call that is the last instruction of a segment. */
	b.stack[3] = TEXT + ELF_TEXT_SIZE;
	bench__walk(&b, "x86_64");
	TEST_EQ(b.chain.stop, UNWIND_OUTERMOST);
	TEST_EQ(b.chain.nr, 5);
	TEST_EQ(b.ips[0], TEXT + 0x10);
	TEST_EQ(b.ips[1], b.again + 0x20);
	TEST_EQ(b.ips[2], TEXT + 0x30);
	TEST_EQ(b.ips[3], b.again + 0x40);
	TEST_EQ(b.ips[4], TEXT + ELF_TEXT_SIZE);
}

TEST(unwind_cfi_divide, "unwind: a division in an expression does not end the program")
{
	/* CFA = INT64_MIN / -1 */
	static const u8 divide[] = { 0x0f, 12, 0x0e, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x09, 0xff, 0x1b };
	/* rbx by an expression that divides by 0 */
	static const u8 saved[] = { 0x10, 3, 3, 0x31, 0x30, 0x1b };
	struct bench b;

	bench__x86(&b, TEXT + 0x10);
	elf_build__add(&b.elf, ELF_TEXT, 0x100, divide, sizeof(divide));
	bench__walk_by(&b, "x86_64", "libdw");
	TEST_EQ(b.chain.stop, UNWIND_NO_ROW);
	bench__walk_by(&b, "x86_64", "table");
	TEST_EQ(b.chain.stop, UNWIND_COPY_SHORT);

	/* libdw must not see such a row; the walk by tables does not need rbx. */
	bench__x86(&b, TEXT + 0x10);
	elf_build__add(&b.elf, ELF_TEXT, 0x100, saved, sizeof(saved));
	bench__walk_by(&b, "x86_64", "libdw");
	TEST_EQ(b.chain.stop, UNWIND_NO_ROW);
	bench__walk_by(&b, "x86_64", "table");
	TEST_EQ(b.chain.stop, UNWIND_OUTERMOST);
}

TEST(unwind_cfi_broken, "unwind: flipped bits in .eh_frame and in headers end in an answer")
{
	static const u8 body[] = { 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x44, 0x0c, 7, 8 };
	u64 seed = 0x9e3779b97f4a7c15ULL;
	struct fp_share share = {};
	struct bench b;
	int fd;

	for (u32 round = 0; round < 8000 / test__share(8); round++) {
		bench__x86(&b, TEXT + (round & 0x1f));
		for (int i = 0; i < 8; i++)
			elf_build__add(&b.elf, ELF_TEXT + 0x20 * i, 0x20, body, sizeof(body));
		for (int i = 0; i < WORDS; i++)
			b.stack[i] = i & 1 ? TEXT + i : SP + 8 * i + 16;
		b.regs.v[6] = SP + 16;
		b.broken = true;
		b.seed = random_u64(&seed);
		b.flips = round & 1 ? 1 + round % 9 : 0;
		for (u32 flip = 0; flip < round % 7; flip++)
			b.elf.frame[random_u64(&seed) % b.elf.frame_len] ^= 1 << (seed >> 60 & 7);
		bench__walk(&b, "x86_64");
		TEST_TRUE(b.chain.nr >= 1 && b.chain.nr <= 16);
		fd = elf_build__fd(&b.elf);
		(void)fp_share__add(&perf_env, &share, fd);
		close(fd);
	}
}

TEST(unwind_cfi_aarch64, "unwind: aarch64, a leaf that has its return address in a register")
{
	static const u8 cie[] = { 0x0c, 31, 0 };
	/* CFA = sp + 32, x29 at CFA - 32, x30 at CFA - 24 */
	static const u8 body[] = { 0x0e, 32, 0x80 | 29, 4, 0x80 | 30, 3 };
	static const u8 undefined[] = { 0x07, 30 };
	struct bench b = {};

	elf_build__init(&b.elf, EM_AARCH64, false, 30, cie, sizeof(cie));
	elf_build__add(&b.elf, ELF_TEXT, 0x100, NULL, 0);
	elf_build__add(&b.elf, ELF_TEXT + 0x100, 0x100, body, sizeof(body));
	elf_build__add(&b.elf, ELF_TEXT + 0x200, 0x100, undefined, sizeof(undefined));
	b.regs.known = BIT_ULL(32) | BIT_ULL(31) | BIT_ULL(30) | BIT_ULL(29);
	b.regs.v[32] = TEXT + 0x40;
	b.regs.v[31] = SP;
	b.regs.v[30] = TEXT + 0x110;
	b.stack[0] = SP + 64;
	b.stack[1] = TEXT + 0x120;
	b.stack[5] = TEXT + 0x210;
	bench__walk(&b, "aarch64");
	TEST_EQ(b.chain.stop, UNWIND_OUTERMOST);
	TEST_EQ(b.chain.nr, 4);
	TEST_EQ(b.ips[1], TEXT + 0x110);
	TEST_EQ(b.ips[2], TEXT + 0x120);
	TEST_EQ(b.ips[3], TEXT + 0x210);
}

TEST(unwind_cfi_s390x, "unwind: s390x, whose files and stacks have the other byte order")
{
	/* CFA = r15 + 160; r14 at CFA - 48, r15 at CFA - 40 */
	static const u8 cie[] = { 0x0c, 15, 0xa0, 1 };
	static const u8 body[] = { 0x80 | 14, 6, 0x80 | 15, 5, 0x0e, 0xc0, 2 };
	static const u8 undefined[] = { 0x07, 14 };
	struct bench b = {};

	elf_build__init(&b.elf, EM_S390, true, 14, cie, sizeof(cie));
	elf_build__add(&b.elf, ELF_TEXT, 0x100, body, sizeof(body));
	elf_build__add(&b.elf, ELF_TEXT + 0x200, 0x100, undefined, sizeof(undefined));
	b.regs.known = BIT_ULL(33) | BIT_ULL(15) | BIT_ULL(14);
	b.regs.v[33] = TEXT + 0x40;
	b.regs.v[15] = SP;
	b.regs.v[14] = TEXT + 0x50;
	/* The frame is 160 bytes: CFA = SP + 320, r14 at SP + 272, r15 at SP + 280. */
	b.stack[34] = __builtin_bswap64(TEXT + 0x210);
	b.stack[35] = __builtin_bswap64(SP + 160);
	bench__walk(&b, "s390x");
	TEST_EQ(b.chain.stop, UNWIND_OUTERMOST);
	TEST_EQ(b.chain.nr, 2);
	TEST_EQ(b.ips[1], TEXT + 0x210);
}

TEST(unwind_fp_share, "unwind: the share of code that keeps a frame pointer, by its rows")
{
	/* push %rbp; mov %rsp,%rbp; 4 bytes before it ends: leave */
	static const u8 kept[] = { 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x02, 92, 0x0c, 7, 8 };
	static const u8 expression[] = { 0x0f, 1, 0x57 };
	struct fp_share share = {};
	struct bench b;
	int fd;

	bench__x86(&b, 0);
	elf_build__add(&b.elf, ELF_TEXT, 100, kept, sizeof(kept));
	elf_build__add(&b.elf, ELF_TEXT + 100, 50, NULL, 0);
	elf_build__add(&b.elf, ELF_TEXT + 150, 10, expression, sizeof(expression));
	fd = elf_build__fd(&b.elf);
	TEST_EQ(fp_share__add(&perf_env, &share, fd), 0);
	close(fd);
	TEST_EQ(share.fp, 92);
	TEST_EQ(share.sp, 4 + 4 + 50);
	TEST_EQ(share.other, 10);
	TEST_EQ(fp_share__percent(&share), 57);
	TEST_EQ(fp_share__add(&perf_env, &share, -1), -EINVAL);
}

TEST(unwind_fp_share_record, "unwind: on aarch64 a saved x29 counts as a frame pointer")
{
	static const u8 cie[] = { 0x0c, 31, 0 };
	static const u8 body[] = { 0x44, 0x0e, 32, 0x9d, 4, 0x9e, 3, 0x58, 0xde, 0xdd, 0x0e, 0 };
	struct fp_share share = {};
	struct elf_build elf;
	int fd;

	elf_build__init(&elf, EM_AARCH64, false, 30, cie, sizeof(cie));
	elf_build__add(&elf, ELF_TEXT, 32, body, sizeof(body));
	fd = elf_build__fd(&elf);
	TEST_EQ(fp_share__add(&perf_env, &share, fd), 0);
	close(fd);
	TEST_EQ(share.fp, 24);
	TEST_EQ(share.sp, 8);
}
