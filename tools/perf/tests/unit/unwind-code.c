// SPDX-License-Identifier: GPL-2.0-only
/* Callers by the code alone, of functions without rows; and what is wrong with frame pointers. */
#include <elf.h>

#include "../test.h"
#include "../lib/walk-bench.h"

static void put(struct bench *b, u32 at, const char *bytes, size_t len)
{
	memcpy(b->elf.code + at, bytes, len);
}
#define PUT(b, at, bytes) put(b, at, bytes, sizeof(bytes) - 1)

/* Function 8 has no rows and was called by 1, the outermost, through a pointer. */
static void indirect(struct bench *b, u64 off)
{
	bench__x86(b, AT(8, off));
	FUNCTION(b, 1, 0x07, 16);
	PUT(b, 0x120 - 2, "\xff\xd0");
}

TEST(code_return, "walk: x86-64, code without rows, by where it goes to its return")
{
	struct bench b;

	/* At its first instruction; behind two pushes and room for 16 bytes; at its return. */
	static const char code[] = "\x90\x53\x41\x54\x48\x83\xec\x10\x90\x48\x83\xc4\x10\x41\x5c"
				   "\x5b\xc3";
	static const struct { u8 off, words; } places[] = {
		{ 0, 0 }, { 1, 0 }, { 2, 1 }, { 4, 2 }, { 8, 4 }, { 9, 4 }, { 13, 2 }, { 15, 1 },
		{ 16, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		indirect(&b, places[i].off);
		PUT(&b, 0x800, code);
		b.stack[places[i].words] = AT(1, 0x20);
		bench__walk_by(&b, "x86_64", "table");
		EXPECT(&b, UNWIND_OUTERMOST, AT(8, places[i].off), AT(1, 0x20));
	}

	/* An inner return, and a branch around it. */
	indirect(&b, 0);
	PUT(&b, 0x800, "\x74\x04\x31\xc0\xc3\x90\x53\x5b\xc3");
	b.stack[0] = AT(1, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0), AT(1, 0x20));

	/* Two returns that disagree; a jump to an unknown place. */
	PUT(&b, 0x800, "\x74\x04\x31\xc0\xc3\x90\x5b\xc3");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0));
	PUT(&b, 0x800, "\xff\xe0");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0));
}

TEST(code_address_zero, "walk: code that goes to address 0 has not come to where it returns")
{
	struct bench b;

	/* push %rbx; jmp 0, which is the head of the file, and no code. */
	indirect(&b, 0);
	PUT(&b, 0x800, "\x53\xe9\xfa\xe7\xff\xff");
	b.stack[0] = AT(1, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0));
}

/* The same, but called by 2, which finds its CFA by rbp, and was called by 1. */
static void indirect_by_fp(struct bench *b)
{
	indirect(b, 0);
	FUNCTION(b, 2, 0x0c, 6, 16);
	PUT(b, 0x220 - 2, "\xff\xd0");
	b->stack[9] = AT(1, 0x20);
}

TEST(code_caller_fp, "walk: the caller's frame pointer is where code without rows restores it from")
{
	struct bench b;

	/* pop %rbp; ret. Then leave; ret. */
	indirect_by_fp(&b);
	PUT(&b, 0x800, "\x5d\xc3");
	b.regs.v[6] = SP + 400;
	b.stack[0] = SP + 64;
	b.stack[1] = AT(2, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0), AT(2, 0x20), AT(1, 0x20));
	PUT(&b, 0x800, "\xc9\xc3");
	b.regs.v[6] = SP + 32;
	b.stack[4] = SP + 64;
	b.stack[5] = AT(2, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0), AT(2, 0x20), AT(1, 0x20));
}

TEST(code_caller_fp_lost, "walk: code without rows that changes the frame pointer leaves none")
{
	struct bench b;

	/* ret; then mov %rax,%rbp; ret. */
	indirect_by_fp(&b);
	PUT(&b, 0x800, "\xc3");
	b.regs.v[6] = SP + 64;
	b.stack[0] = AT(2, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0), AT(2, 0x20), AT(1, 0x20));
	PUT(&b, 0x800, "\x48\x89\xc5\xc3");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_UNKNOWN_REG, AT(8, 0), AT(2, 0x20));
}

TEST(code_calls, "walk: functions without rows or frame pointers that call each other")
{
	struct bench b;

	/* 8: push %rbx; call 9; here: jmp *%rax. 9: sub $24,%rsp; jmp *%rax. */
	bench__x86(&b, AT(9, 4));
	FUNCTION(&b, 1, 0x07, 16);
	PUT(&b, 0x120 - 5, "\xe8\xe0\x06\0\0");
	PUT(&b, 0x800, "\x53\xe8\xfa\0\0\0\xff\xe0");
	PUT(&b, 0x900, "\x48\x83\xec\x18\xff\xe0");
	b.stack[3] = AT(8, 6);
	b.stack[5] = AT(1, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(9, 4), AT(8, 6), AT(1, 0x20));

	/* Its first instruction. */
	b.regs.v[8] = AT(9, 0);
	b.stack[0] = b.stack[3];
	b.stack[2] = AT(1, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(9, 0), AT(8, 6), AT(1, 0x20));
}

/* Function 8 leaves to an unknown place; the record at rbp leads to function 1. */
static void by_record(struct bench *b)
{
	indirect(b, 0x10);
	PUT(b, 0x810, "\xff\xe0");
	b->regs.v[6] = SP + 32;
	b->stack[4] = SP + 64;
	b->stack[5] = AT(1, 0x20);
}

TEST(code_record, "walk: a frame record of another function leaves callers out, and it says so")
{
	struct bench b;

	/* The function has made no record; it has; it has lost it again. */
	by_record(&b);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_SKIPPED, AT(8, 0x10), AT(1, 0x20));
	TEST_TRUE(!b.chain.skips_away);
	PUT(&b, 0x800, "\x55\x48\x89\xe5");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10), AT(1, 0x20));
	PUT(&b, 0x800, "\x55\x48\x89\xe5\xc9\xc3");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_SKIPPED, AT(8, 0x10), AT(1, 0x20));

	/* The call before the address is one of function 9, which returns, or goes to 8. */
	by_record(&b);
	PUT(&b, 0x800, "\x55\x48\x89\xe5");
	PUT(&b, 0x120 - 5, "\xe8\xe0\x07\0\0");
	PUT(&b, 0x900, "\xc3");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_SKIPPED, AT(8, 0x10), AT(1, 0x20));
	PUT(&b, 0x900, "\xe9\xfb\xfe\xff\xff");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10), AT(1, 0x20));

	/* A chain that is cut says why it is. */
	by_record(&b);
	b.stack[5] = AT(10, 0x20);
	PUT(&b, 0xa20 - 2, "\xff\xd0");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10), AT(10, 0x20));
}

/* Is a prologue known as a function's first instructions, behind these bytes at 0x804? */
static bool is_start_behind(const char *before, size_t len)
{
	struct bench b;

	by_record(&b);
	memset(b.elf.code + 0x7e0, 0x53, 0x24);
	put(&b, 0x804, before, len);
	memset(b.elf.code + 0x804 + len, 0x90, 0x10 - 4 - len);
	put(&b, 0x804 + len, "\x55\x48\x89\xe5", 4);
	bench__walk_by(&b, "x86_64", "table");
	TEST_EQ(b.chain.nr, 2);
	return b.chain.stop == UNWIND_OUTERMOST;
}
#define STARTS_BEHIND(before) is_start_behind(before, sizeof(before) - 1)

TEST(code_record_start, "walk: functions begin at multiples of 16, and behind returns and padding")
{
	TEST_TRUE(STARTS_BEHIND("\xc3"));
	TEST_TRUE(STARTS_BEHIND("\xcc"));
	TEST_TRUE(STARTS_BEHIND("\xf4"));
	TEST_TRUE(STARTS_BEHIND("\x0f\x0b"));
	TEST_TRUE(STARTS_BEHIND("\x90"));
	TEST_TRUE(STARTS_BEHIND("\x66\x90\x00"));
	TEST_TRUE(!STARTS_BEHIND("\x53"));
	TEST_TRUE(!STARTS_BEHIND("\xc3\x53"));
	/* endbr64, which belongs to the function */
	TEST_TRUE(STARTS_BEHIND("\xc3\xf3\x0f\x1e\xfa"));
	TEST_TRUE(!STARTS_BEHIND("\x53\xf3\x0f\x1e\xfa"));
	TEST_TRUE(!STARTS_BEHIND("\xc3\xf3\x0f\x1e\xfb"));
}

TEST(code_record_jit, "walk: a frame record seen from code made at run time: what the call says")
{
	struct bench b;

	for (u32 i = 0; i < 2; i++) {
		by_record(&b);
		b.jit = BIAS + 0x100000;
		b.regs.v[8] = b.jit + 0x10;
		/* A function that comes back, or one that may go there. */
		PUT(&b, 0x120 - 5, "\xe8\xe0\x07\0\0");
		put(&b, 0x900, i ? "\xff\xe0" : "\xc3\x90", 2);
		bench__walk_by(&b, "x86_64", "table");
		EXPECT(&b, i ? UNWIND_OUTERMOST : UNWIND_SKIPPED, b.jit + 0x10, AT(1, 0x20));
	}
}

TEST(code_record_astray, "walk: behind a frame record that nothing proves, junk is not shown")
{
	struct bench b;

	/* The function that was guessed has no caller: FP leads back, or to a number. */
	for (u32 i = 0; i < 4; i++) {
		by_record(&b);
		if (i & 1) {
			b.jit = BIAS + 0x100000;
			b.regs.v[8] = b.jit + 0x10;
		}
		FUNCTION(&b, 11, 0x0c, 6, 16);
		b.stack[4] = i & 2 ? SP : SP + 64;
		b.stack[5] = AT(11, 0x20);
		b.stack[9] = 0x1234;
		PUT(&b, 0xb20 - 2, "\xff\xd0");
		bench__walk_by(&b, "x86_64", "table");
		EXPECT(&b, i & 1 ? UNWIND_NO_MODULE : UNWIND_NO_ROW, b.regs.v[8]);
	}
	/* What is only cut is. */
	by_record(&b);
	FUNCTION(&b, 11, 0x0c, 6, 16);
	b.stack[4] = SP + 0x100000;
	b.stack[5] = AT(11, 0x20);
	PUT(&b, 0xb20 - 2, "\xff\xd0");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_COPY_SHORT, AT(8, 0x10), AT(11, 0x20));
}

/*
 * 8 has no rows and never returns; its address is taken at 0x700. It was called by 1, the
 * outermost, and has called 9, which has rows.
 */
static void start(struct bench *b)
{
	bench__x86(b, AT(9, 0x10));
	FUNCTION(b, 1, 0x07, 16);
	FUNCTION(b, 9, 0x0e, 8);
	PUT(b, 0x120 - 2, "\xff\xd0");
	memset(b->elf.code + 0x6c0, 0x90, 0x140);
	/* lea 8(%rip),%rax; jmp *%rax */
	PUT(b, 0x700, "\x48\x8d\x05\xf9\0\0\0\xff\xe0");
	/* push %r13; push %rbx; sub $8,%rsp; call *%rbx; hlt */
	PUT(b, 0x800, "\x41\x55\x53\x48\x83\xec\x08\xff\xd3\xf4");
	b->stack[0] = AT(8, 9);
	b->stack[4] = AT(1, 0x20);
}

TEST(code_start, "walk: a function that never returns begins where its address is taken")
{
	struct bench b;

	start(&b);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(9, 0x10), AT(8, 9), AT(1, 0x20));
	/* Behind its last call another function begins, which returns: push %rax; pop %rdx; ret. */
	PUT(&b, 0x809, "\x50\x5a\xc3");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(9, 0x10), AT(8, 9), AT(1, 0x20));
	/* At its first instruction, too. */
	start(&b);
	b.regs.v[8] = AT(8, 0);
	b.stack[0] = AT(1, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0), AT(1, 0x20));

	/* Nobody takes it; the code in front goes on there; the caller has called another one. */
	start(&b);
	PUT(&b, 0x700, "\x90\x90\x90\x90\x90\x90\x90");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(9, 0x10), AT(8, 9));
	start(&b);
	PUT(&b, 0x780, "\x50");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(9, 0x10), AT(8, 9));
	start(&b);
	PUT(&b, 0x120 - 5, "\xe8\xe0\x01\0\0");
	PUT(&b, 0x300, "\xc3");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(9, 0x10), AT(8, 9));

	/* In a program at a fixed address: mov $ELF_TEXT + 0x800,%edi. It does not lead away. */
	start(&b);
	memset(b.elf.code + 0x700, 0x90, 16);
	PUT(&b, 0x700, "\xbf\0\0\0\0\xc3");
	memcpy(b.elf.code + 0x701, &(u32){ ELF_TEXT + 0x800 }, sizeof(u32));
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(9, 0x10), AT(8, 9), AT(1, 0x20));
}

TEST(code_callee_pops, "walk: functions that pop their arguments move SP, and keep rbp")
{
	struct bench b;

	/* 8: push %rbp; mov %rsp,%rbp; twice: push %rax; call 9. Word 4 is an older address. */
	bench__x86(&b, AT(9, 0));
	FUNCTION(&b, 1, 0x07, 16);
	PUT(&b, 0x120 - 5, "\xe8\xe0\x06\0\0");
	PUT(&b, 0x220 - 5, "\xe8\xe0\x05\0\0");
	PUT(&b, 0x800, "\x55\x48\x89\xe5\x50\xe8\xf6\0\0\0\x50\xe8\xf0\0\0\0\xff\xe0");
	PUT(&b, 0x900, "\x90\xff\xe0");
	b.regs.v[6] = SP + 16;
	b.stack[0] = AT(8, 16);
	b.stack[2] = SP + 64;
	b.stack[3] = AT(1, 0x20);
	b.stack[4] = AT(2, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(9, 0), AT(8, 16), AT(1, 0x20));
}

TEST(code_return_by_rows, "walk: rows that forget an epilogue make no function outermost")
{
	struct bench b;

	/* CFA = rsp + 32 in all of function 0, where its return, at 0x30, has it at rsp + 8. */
	bench__x86(&b, AT(0, 0x30));
	FUNCTION(&b, 0, 0x0e, 32);
	FUNCTION(&b, 1, 0x07, 16);
	memset(b.elf.code, 0x90, 0x40);
	PUT(&b, 0x30, "\xc3");
	PUT(&b, 0x120 - 2, "\xff\xd0");
	b.stack[0] = AT(1, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x30), AT(1, 0x20));
	/* Elsewhere the row is believed; where nothing was called, nothing is. */
	PUT(&b, 0x30, "\x90");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x30));
	PUT(&b, 0x30, "\xc3");
	PUT(&b, 0x120 - 2, "\x90\x90");
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_BAD_RA, AT(0, 0x30));
}

/* CFA = rbp + 16; from 0x60 on CFA = rcx + 8, @ra_too: and from 0x70 on rcx is where it jumps. */
static void landed(bool ra_too)
{
	struct bench b;

	/* Calls end at 0x15, 0x25, 0x35. */
	for (u32 at = 0x15; at <= (ra_too ? 0x75 : 0x55); at += 0x10) {
		bool landing = at >= 0x25;

		bench__x86(&b, AT(0, at));
		if (ra_too)
			FUNCTION(&b, 0, 0x0e, 16, 0x86, 2, 0x0d, 6, 0x02, 0x60, 0x0c, 2, 8, 0x50,
				 0x09, 16, 2);
		else
			FUNCTION(&b, 0, 0x0e, 16, 0x86, 2, 0x0d, 6, 0x02, 0x60, 0x0c, 2, 8);
		FUNCTION(&b, 1, 0x0c, 6, 16);
		FUNCTION(&b, 2, 0x07, 16);
		memset(b.elf.code, 0x90, 0x60);
		for (u32 call = 0x10; call <= 0x30; call += 0x10)
			PUT(&b, call, "\xe8\0\1\0\0");
		b.regs.known |= BIT_ULL(2);
		b.regs.v[2] = SP + 56;
		b.regs.v[6] = SP + 32;
		b.stack[4] = SP + 64;
		b.stack[5] = AT(1, 0x20);
		b.stack[9] = AT(2, 0x20);
		bench__walk_by(&b, "x86_64", "table");
		if (landing)
			EXPECT(&b, UNWIND_UNKNOWN_REG, AT(0, at));
		else
			EXPECT(&b, UNWIND_OUTERMOST, AT(0, at), AT(1, 0x20), AT(2, 0x20));
	}
}

TEST(code_landing, "walk: where an exception is landed, nothing leads to the caller")
{
	landed(false);
	landed(true);
}

/*
 * Is the instruction by which such a function is known found, behind @nr others? All functions can
 * have the same program, of any length, which would be searched for each.
 */
static bool is_landing_found(u32 nr)
{
	u8 program[4096] = { 0x0e, 16, 0x86, 2, 0x0d, 6, 0x02, 0x60 };
	struct bench b;

	bench__x86(&b, AT(0, 0x35));
	memcpy(program + 8 + nr, "\x0c\x02\x08", 3);
	elf_build__add(&b.elf, AT(0, 0) - BIAS, 0x100, program, 8 + nr + 3);
	FUNCTION(&b, 1, 0x0c, 6, 16);
	FUNCTION(&b, 2, 0x07, 16);
	memset(b.elf.code, 0x90, 0x60);
	for (u32 call = 0x10; call <= 0x30; call += 0x10)
		PUT(&b, call, "\xe8\0\1\0\0");
	b.regs.v[6] = SP + 32;
	b.stack[4] = SP + 64;
	b.stack[5] = AT(1, 0x20);
	b.stack[9] = AT(2, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	return b.chain.stop == UNWIND_UNKNOWN_REG;
}

TEST(code_growth_landing, "walk: a bounded part of each function's program is looked through")
{
	TEST_TRUE(is_landing_found(0));
	TEST_TRUE(is_landing_found(1000));
	TEST_TRUE(!is_landing_found(1024));
	TEST_TRUE(!is_landing_found(2048));
}
