// SPDX-License-Identifier: GPL-2.0-only
/* What code without rows may cost: one stack, and all of them. */
#include <elf.h>
#include <unistd.h>

#include "../../../lib/unwind/walk/code-path.h"
#include "../../util/elf/elf-file.h"
#include "../test.h"
#include "../lib/walk-bench.h"

#define QUESTIONS 100 /* of a stack, each about another place, and some 4,000 instructions */

/* A page of instructions that do nothing, the last one a return. */
static void fill_with_nops(struct elf_build *elf)
{
	memset(elf->code, 0x90, sizeof(elf->code));
	elf->code[sizeof(elf->code) - 1] = 0xc3;
}

/* What all stacks together cost, when @nr of them ask what was not asked before. */
static u64 cost_of_stacks(u32 nr, u64 all_left)
{
	struct budget all = { .left = all_left };
	struct elf_build elf;
	struct elf_image img;
	u64 cost = 0;
	int fd;

	elf_build__init(&elf, EM_X86_64, false, 16, NULL, 0);
	fill_with_nops(&elf);
	fd = elf_build__fd(&elf);
	TEST_EQ(elf_image__open(&img, fd), 0);
	for (u32 i = 0; i < nr; i++) {
		struct code_budget b = { .all = &all, .left = CODE_OF_ITS_OWN };
		/* Forgets all answers: other code would have other ones. */
		struct code_paths *p = code_paths__new(&img, &unwind_arch_x86_64);

		for (u32 q = 0; q < QUESTIONS; q++)
			code_paths__from_start(p, ELF_TEXT + q, ELF_TEXT + ELF_TEXT_SIZE - 2, &b);
		cost += CODE_OF_ITS_OWN + b.taken - b.left;
		TEST_TRUE(b.spent);
		code_budget__end(&b);
		code_paths__free(p);
	}
	elf_image__close(&img);
	close(fd);
	return cost;
}

TEST(code_growth_budget, "walk: what following code costs is bounded for each stack and for all")
{
	const u64 all = 4 * CODE_OF_A_STACK;

	TEST_EQ(cost_of_stacks(1, all), CODE_OF_ITS_OWN + CODE_OF_A_STACK);
	TEST_EQ(cost_of_stacks(4, all), 4 * CODE_OF_ITS_OWN + all);
	for (u32 n = 8; n <= 32; n *= 2)
		TEST_EQ(cost_of_stacks(n, all), n * CODE_OF_ITS_OWN + all);
	TEST_EQ(cost_of_stacks(8, 0), 8 * CODE_OF_ITS_OWN);
}

TEST(code_budget_kept, "walk: stacks that cost little leave nothing less for the others")
{
	struct budget all = { .left = CODE_OF_ALL };

	for (u32 i = 0; i < 10000; i++) {
		struct code_budget b = { .all = &all, .left = CODE_OF_ITS_OWN };

		code_budget__extend(&b);
		b.left -= i % 100 ? CODE_OF_ITS_OWN / 2 : 2 * CODE_OF_ITS_OWN;
		code_budget__end(&b);
	}
	TEST_TRUE(all.left >= CODE_OF_ALL - CODE_OF_ITS_OWN);
	TEST_TRUE(all.left <= CODE_OF_ALL + CODE_OF_A_STACK);
}

/* CFA = rsp + 8, by an expression that is no rule, and registers by loops of 900 steps. */
static void long_rules(struct bench *b)
{
	static const u8 cfa[] = { 0x0f, 3, 0x77, 8, 0x96 };
	static const u8 loop[] = { 0x0a, 220, 0, 0x31, 0x1c, 0x12, 0x28, 0xfa, 0xff };
	u8 program[256];
	size_t len = sizeof(cfa);

	bench__x86(b, AT(1, 0x20));
	memcpy(program, cfa, sizeof(cfa));
	for (u8 reg = 0; reg < 16; reg++) {
		if (reg == 7)
			continue;
		memcpy(program + len, (u8[]){ 0x16, reg, sizeof(loop) }, 3);
		memcpy(program + len + 3, loop, sizeof(loop));
		len += 3 + sizeof(loop);
	}
	elf_build__add(&b->elf, ELF_TEXT + 0x100, 0x100, program, len);
	FUNCTION(b, 2, 0x07, 16);
}

TEST(code_budget_eval, "walk: what evaluating call frame information costs a stack is bounded")
{
	struct bench b;

	for (u32 frames = 4; frames <= 14; frames += 10) {
		long_rules(&b);
		for (u32 i = 0; i < frames; i++)
			b.stack[i] = AT(i + 1 < frames ? 1 : 2, 0x20);
		bench__walk_by(&b, "x86_64", "table");
		TEST_EQ(b.chain.stop, frames == 4 ? UNWIND_OUTERMOST : UNWIND_COSTLY);
		TEST_TRUE(frames == 4 ? b.chain.nr == 5 : b.chain.nr > 8 && b.chain.nr < 13);
	}
}

/* Function 8 has no rows, and goes on for 2,000 instructions until it returns. */
static void long_code(struct bench *b)
{
	bench__x86(b, AT(8, 0x10));
	fill_with_nops(&b->elf);
	FUNCTION(b, 1, 0x07, 16);
	memcpy(b->elf.code + 0x120 - 2, "\xff\xd0", 2);
	b->stack[0] = AT(1, 0x20);
}

TEST(code_budget_walk, "walk: a stack that is cut when work is spent says so, and has its frames")
{
	struct bench b;

	long_code(&b);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10), AT(1, 0x20));
	long_code(&b);
	b.no_work = true;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_COSTLY, AT(8, 0x10));

	/* A frame record, of which it is not known whether it leaves anybody out. */
	for (int no_work = 0; no_work < 2; no_work++) {
		long_code(&b);
		b.no_work = no_work;
		b.jit = BIAS + 0x100000;
		b.regs.v[8] = b.jit + 0x10;
		b.regs.v[6] = SP + 32;
		b.stack[5] = AT(1, 0x20);
		memcpy(b.elf.code + 0x120 - 5, "\xe8\xe0\x06\0\0", 5);
		bench__walk_by(&b, "x86_64", "table");
		if (no_work)
			EXPECT(&b, UNWIND_COSTLY, b.regs.v[8]);
		else
			EXPECT(&b, UNWIND_SKIPPED, b.regs.v[8], AT(1, 0x20));
	}
}
