// SPDX-License-Identifier: GPL-2.0-only
/* The walk by rows: each sort of rule, registers that are carried along, code without rows. */
#include <elf.h>

#include "../../util/data/abi.h"
#include "../test.h"
#include "../lib/walk-bench.h"

TEST(walk_registers, "walk: a CFA by rbx, which a callee has saved")
{
	struct bench b;

	/* rbx at CFA - 16, CFA = rsp + 32; then CFA = rbx + 16; then outermost */
	bench__x86(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x0e, 32, 0x83, 2);
	FUNCTION(&b, 1, 0x0c, 3, 16, 0x86, 2);
	FUNCTION(&b, 2, 0x07, 16);
	b.stack[2] = SP + 0x80;      /* rbx of 1 */
	b.stack[3] = AT(1, 0x20);
	b.stack[17] = AT(2, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0x20), AT(2, 0x20));

	/* Nobody saved it, and it was not captured. */
	bench__x86(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x0e, 32);
	FUNCTION(&b, 1, 0x0c, 3, 16, 0x86, 2);
	b.stack[3] = AT(1, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_UNKNOWN_REG, AT(0, 0x10), AT(1, 0x20));

	/* It was captured, and nobody has changed it. */
	b.regs.known |= BIT_ULL(1);
	b.regs.v[1] = SP + 0x80;
	b.stack[17] = 0;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0x20));
}

TEST(walk_registers_far, "walk: registers are carried through many frames, twice")
{
	struct bench b;
	u32 at = 3;

	bench__x86(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x0e, 32, 0x8c, 2); /* r12 at CFA - 16 */
	FUNCTION(&b, 1, 0x0e, 16);
	FUNCTION(&b, 2, 0x0c, 12, 16);      /* CFA = r12 + 16 */
	FUNCTION(&b, 3, 0x0c, 12, 40);      /* CFA = r12 + 40 */
	b.stack[2] = SP + 96;
	b.stack[at] = AT(1, 1);
	b.stack[at += 2] = AT(1, 2);
	b.stack[at += 2] = AT(2, 3);
	b.stack[13] = AT(3, 4);             /* at r12 + 8 */
	b.stack[16] = 0;                    /* at r12 + 32 */
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 1), AT(1, 2), AT(2, 3), AT(3, 4));
}

TEST(walk_deref, "walk: CFA in memory, saved by a function that aligned its stack")
{
	struct bench b;

	bench__x86(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x0f, 3, 0x76, 0x78, 0x06, 0x10, 6, 2, 0x76, 0); /* *(rbp - 8); *(rbp) */
	FUNCTION(&b, 1, 0x0f, 5, 0x77, 0x10, 0x06, 0x23, 0x08);          /* *(rsp + 16) + 8 */
	b.regs.v[6] = SP + 64;
	b.stack[7] = SP + 96;
	b.stack[8] = 0x1234;
	b.stack[11] = AT(1, 0x20);
	b.stack[14] = SP + 200;
	b.stack[25] = 0;
	bench__walk(&b, "x86_64");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0x20));
	b.stack[14] = SP + 8 * WORDS;
	bench__walk(&b, "x86_64");
	EXPECT(&b, UNWIND_COPY_SHORT, AT(0, 0x10), AT(1, 0x20));
}

TEST(walk_plt, "walk: an entry of a procedure linkage table, before and behind its push")
{
	struct bench b;

	for (u32 i = 0; i < 32; i++) {
		bench__x86(&b, AT(0, i));
		FUNCTION(&b, 0, 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24,
			 0x22);
		FUNCTION(&b, 1, 0x07, 16);
		b.stack[0] = i % 16 < 11 ? AT(1, 0x20) : 1;
		b.stack[1] = i % 16 < 11 ? 2 : AT(1, 0x20);
		bench__walk(&b, "x86_64");
		EXPECT(&b, UNWIND_OUTERMOST, AT(0, i), AT(1, 0x20));
	}
}

TEST(walk_evaluated, "walk: what is no rule is evaluated, and the walk goes on by rules")
{
	struct bench b;

	/* CFA = rsp + (rbx & 15) * 8; rbp = *(rsp + 16) + 1 */
	bench__x86(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x0f, 9, 0x73, 0, 0x3f, 0x1a, 0x38, 0x1e, 0x77, 0, 0x22,
		 0x16, 6, 5, 0x77, 0x10, 0x06, 0x23, 1);
	FUNCTION(&b, 1, 0x0c, 6, 16);
	b.regs.known |= BIT_ULL(1);
	b.regs.v[1] = 0xff5;
	b.stack[2] = SP + 63;
	b.stack[4] = AT(1, 0x20);
	b.stack[9] = AT(1, 0x30);
	bench__walk(&b, "x86_64");
	TEST_EQ(b.chain.stop, UNWIND_NO_PROGRESS); /* rbp stays */
	TEST_EQ(b.chain.nr, 3);
	TEST_EQ(b.ips[2], AT(1, 0x30));
}

/* In function 0, at a frame on the stack from word 40 on, whose caller's frame is at word 8. */
static void on_another_stack(struct bench *b)
{
	bench__x86(b, AT(1, 0x10));
	FUNCTION(b, 0, 0x0c, 6, 16, 0x80 | 6, 2); /* CFA = rbp + 16 */
	FUNCTION(b, 1, 0);
	FUNCTION(b, 2, 0x07, 16);
	memcpy(b->elf.code + 0x40, "\x48\x89\xd4", 3); /* mov %rdx,%rsp */
	memcpy(b->elf.code + 0x220 - 2, "\xff\xd0", 2); /* call *%rax */
	b->regs.v[7] = SP + 40 * 8;
	b->regs.v[6] = SP + 8 * 8;
	b->stack[40] = AT(0, 0x60);
	b->stack[8] = SP + 90 * 8;
	b->stack[9] = AT(2, 0x20);
}

TEST(walk_lower, "walk: behind code that goes to another stack, the caller's may lie lower; once")
{
	struct bench b;

	on_another_stack(&b);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(1, 0x10), AT(0, 0x60), AT(2, 0x20));

	/* Also where the stack is a variable, of a program at any place or not. */
	memcpy(b.elf.code + 0x40, "\x48\x8d\x25\x10\x20\x00\x00", 7); /* lea 0x2010(%rip),%rsp */
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(1, 0x10), AT(0, 0x60), AT(2, 0x20));
	memcpy(b.elf.code + 0x40, "\x48\xc7\xc4\x10\x20\x40\x00", 7); /* mov $0x402010,%rsp */
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(1, 0x10), AT(0, 0x60), AT(2, 0x20));

	/* Its slots are used, though they lie below SP: the caller's frame pointer. */
	FUNCTION(&b, 3, 0x0c, 6, 16);
	memcpy(b.elf.code + 0x320 - 2, "\xff\xd0", 2);
	b.stack[9] = AT(3, 0x20);
	b.stack[91] = AT(2, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(1, 0x10), AT(0, 0x60), AT(3, 0x20), AT(2, 0x20));

	/* From there no more. */
	b.stack[9] = AT(0, 0x60);
	memcpy(b.elf.code + 0x60 - 2, "\xff\xd0", 2);
	b.stack[8] = SP + 4 * 8;
	b.stack[5] = AT(2, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_PROGRESS, AT(1, 0x10), AT(0, 0x60), AT(0, 0x60));
}

TEST(walk_lower_bait, "walk: SP does not fall for what is no change of the stack")
{
	static const char *const others[] = {
		"\x48\x89\xec", /* mov %rbp,%rsp */ "\x4c\x8b\x63", /* mov (%rbx),%r12 */
		"\x89\xd4\x90", /* mov %edx,%esp */ "\x48\x89\xd3", /* mov %rdx,%rbx */
		"\x48\x8d\x1d", /* lea n(%rip),%rbx */ "\x48\x8d\x65", /* lea n(%rbp),%rsp */
		"\x48\xc7\xc3", /* mov $n,%rbx */ "\x49\x8d\x62", /* lea n(%r10),%rsp */
	};
	struct bench b;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		on_another_stack(&b);
		memcpy(b.elf.code + 0x40, others[i], 3);
		bench__walk_by(&b, "x86_64", "table");
		EXPECT(&b, UNWIND_NO_PROGRESS, AT(1, 0x10), AT(0, 0x60));
	}
	/* Into what was walked already; to what follows no call; too far behind the change. */
	on_another_stack(&b);
	b.regs.v[6] = SP + 39 * 8;
	b.stack[40] = AT(0, 0x60);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_PROGRESS, AT(1, 0x10), AT(0, 0x60));
	on_another_stack(&b);
	memset(b.elf.code + 0x220 - 2, 0x90, 2);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_PROGRESS, AT(1, 0x10), AT(0, 0x60));
	on_another_stack(&b);
	b.stack[40] = AT(0, 0xe0);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_PROGRESS, AT(1, 0x10), AT(0, 0xe0));
	/* The lower stack is not in the copy. */
	on_another_stack(&b);
	b.regs.v[6] = SP - 4096;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OTHER_STACK, AT(1, 0x10), AT(0, 0x60));
}

TEST(walk_signal, "walk: behind a signal frame all registers are known, and the pc was running")
{
	/* CFA = *(rsp + 32); rsp, rip, r10 and rbp in the kernel's frame */
	static const u8 kernel[] = {
		0x0f, 3, 0x77, 32, 0x06, 0x10, 7, 2, 0x77, 32, 0x10, 16, 2, 0x77, 40,
		0x10, 10, 2, 0x77, 48, 0x10, 6, 2, 0x77, 56,
	};
	struct bench b;

	bench__x86(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x0e, 16);
	elf_build__add_signal(&b.elf, ELF_TEXT + 0x100, 0x100, kernel, sizeof(kernel));
	FUNCTION(&b, 2, 0x0c, 10, 8);  /* CFA = r10 + 8 */
	FUNCTION(&b, 3, 0x0c, 6, 16);  /* CFA = rbp + 16 */
	b.stack[1] = AT(1, 0x01);
	b.stack[2 + 4] = SP + 160;     /* rsp */
	b.stack[2 + 5] = AT(2, 0);     /* rip: the first byte of a function, not the one before */
	b.stack[2 + 6] = SP + 200;     /* r10 */
	b.stack[2 + 7] = SP + 240;     /* rbp */
	b.stack[25] = AT(3, 0x20);
	b.stack[31] = 0;
	bench__walk(&b, "x86_64");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0x01), AT(2, 0), AT(3, 0x20));
}

TEST(walk_popped, "walk: the rule of a register that was popped is left standing")
{
	struct bench b;

	/* At `ret', behind `pop %rbp': CFA = rsp + 8, rbp at CFA - 16, which is below rsp. */
	bench__x86(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x86, 2);
	FUNCTION(&b, 1, 0x0c, 6, 16);
	b.regs.v[6] = SP + 32;
	b.stack[0] = AT(1, 0x20);
	b.stack[5] = 0;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0x20));
}

/* CFA = r10, rbp at *rbp: as a rule, or with an expression that has to be evaluated. */
static void restored(bool evaluated)
{
	struct bench b;

	/* Of a function that aligns its stack, behind `leave'. */
	bench__x86(&b, AT(0, 0x10));
	if (evaluated)
		FUNCTION(&b, 0, 0x0f, 3, 0x7a, 0, 0x96, 0x10, 6, 2, 0x76, 0);
	else
		FUNCTION(&b, 0, 0x0c, 10, 0, 0x10, 6, 2, 0x76, 0);
	FUNCTION(&b, 1, 0x0c, 6, 16);
	b.regs.known |= BIT_ULL(18);
	b.regs.v[18] = SP + 64;      /* r10 */
	b.regs.v[6] = SP + 80;       /* the caller's rbp again */
	b.stack[7] = AT(1, 0x20);
	b.stack[10] = SP + 8;
	b.stack[11] = 0;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0x20));
	/* Before it: rbp is this frame's. */
	b.regs.v[6] = SP + 16;
	b.stack[2] = SP + 80;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0x20));
}

TEST(walk_restored, "walk: the rule of a register that tells its own place, behind its restore")
{
	restored(false);
	restored(true);
}

static void without_rows(struct bench *b, u64 at_call)
{
	bench__x86(b, AT(8, 0x10));       /* has no row */
	FUNCTION(b, 1, 0x07, 16);
	b->regs.v[6] = SP + 32;
	b->stack[4] = SP + 64;
	b->stack[5] = AT(1, 0x20);
	b->elf.code[0x100 + at_call] = 0xff; /* call *%rax */
	b->elf.code[0x101 + at_call] = 0xd0;
	/* push %rbp; mov %rsp,%rbp */
	memcpy(b->elf.code + 0x800, "\x55\x48\x89\xe5", 4);
}

TEST(walk_frame_pointer, "walk: code without rows is left by a frame pointer that is plausible")
{
	struct bench b;

	without_rows(&b, 0x20 - 2);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10), AT(1, 0x20));

	/* No call in front of that address; no frame pointer; one below the stack; not wanted. */
	without_rows(&b, 0x20 - 3);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10));
	without_rows(&b, 0x20 - 2);
	b.regs.known &= ~BIT_ULL(6);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10));
	without_rows(&b, 0x20 - 2);
	b.regs.v[6] = SP - 8;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10));
	without_rows(&b, 0x20 - 2);
	bench__walk_by(&b, "x86_64", "sframe,eh_frame");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10));
}

TEST(walk_data, "walk: what is read as a return address, but lies in no mapping, is no frame")
{
	struct bench b;

	bench__x86(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x00);
	b.stack[0] = SP + 64;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_BAD_RA, AT(0, 0x10));
	b.stack[0] = SP + sizeof(b.stack);
	bench__walk(&b, "x86_64");
	EXPECT(&b, UNWIND_BAD_RA, AT(0, 0x10));
	b.regs.v[8] = SP + 64;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_MODULE, SP + 64);
}

TEST(walk_marker, "walk: what would read as a marker in a callchain is no return address")
{
	struct bench b;

	bench__x86(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x00);
	b.stack[0] = ABI_CONTEXT_KERNEL;
	bench__walk(&b, "x86_64");
	EXPECT(&b, UNWIND_BAD_RA, AT(0, 0x10));
}

TEST(walk_jit, "walk: code without a file is left by its frame pointer, too")
{
	struct bench b;

	without_rows(&b, 0x20 - 2);
	b.jit = BIAS + 0x100000;
	b.regs.v[8] = b.jit + 0x10;
	b.regs.v[6] = SP + 16;
	b.stack[2] = SP + 32;
	b.stack[3] = b.jit + 0x20;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, b.jit + 0x10, b.jit + 0x20, AT(1, 0x20));
	bench__walk_by(&b, "x86_64", "libdw");
	EXPECT(&b, UNWIND_NO_MODULE, b.jit + 0x10);
	b.regs.v[8] = b.jit + 0x1010; /* no code is known there */
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_MODULE, b.jit + 0x1010);
	b.regs.v[8] = b.jit + 0x10;
	b.stack[3] = b.jit + 0x2000;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_MODULE, b.jit + 0x10);
}

TEST(walk_jit_edges, "walk: code without a file that was interrupted where it may have no record")
{
	struct bench b;

	without_rows(&b, 0x20 - 2);
	b.jit = BIAS + 0x100000;
	b.regs.v[8] = b.jit + 0x10;
	b.regs.v[6] = SP + 32;
	b.stack[4] = SP + 64;
	b.stack[5] = AT(1, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, b.jit + 0x10, AT(1, 0x20));
	/* A return address on top; and below the frame pointer, which was just pushed. */
	b.stack[0] = b.jit + 0x20;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_SKIPPED, b.jit + 0x10, AT(1, 0x20));
	b.stack[0] = SP + 32;
	b.stack[1] = b.jit + 0x20;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_SKIPPED, b.jit + 0x10, AT(1, 0x20));
	/* Other words, and the function's own record on top. */
	b.stack[0] = SP + 40;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, b.jit + 0x10, AT(1, 0x20));
	b.regs.v[6] = SP;
	b.stack[1] = AT(1, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, b.jit + 0x10, AT(1, 0x20));
}

TEST(walk_calls, "walk: each form of a call is known as one, by the bytes behind it")
{
	static const struct { u8 len, bytes[7]; bool call; } forms[] = {
		{ 2, { 0xff, 0xd0 }, true },             /* call *%rax */
		{ 3, { 0x41, 0xff, 0xd3 }, true },       /* call *%r11 */
		{ 2, { 0xff, 0x10 }, true },             /* call *(%rax) */
		{ 3, { 0xff, 0x50, 0x18 }, true },       /* call *0x18(%rax) */
		{ 6, { 0xff, 0x90, 1, 2, 0, 0 }, true }, /* call *0x201(%rax) */
		{ 6, { 0xff, 0x15, 1, 2, 3, 0 }, true }, /* call *0x30201(%rip) */
		{ 3, { 0xff, 0x14, 0xc3 }, true },       /* call *(%rbx,%rax,8) */
		{ 7, { 0xff, 0x14, 0xc5, 1, 2, 3, 0 }, true },
		{ 4, { 0xff, 0x54, 0x24, 8 }, true },    /* call *8(%rsp) */
		{ 2, { 0xff, 0xe0 }, false },            /* jmp *%rax */
		{ 3, { 0xff, 0xd0, 0x90 }, false },      /* call, and a nop */
		{ 2, { 0xff, 0x15 }, false },            /* the front of one */
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct bench b;

		without_rows(&b, 0x80);
		memcpy(b.elf.code + 0x120 - forms[i].len, forms[i].bytes, forms[i].len);
		bench__walk_by(&b, "x86_64", "table");
		TEST_EQ(b.chain.nr, forms[i].call ? 2 : 1);
	}
}

TEST(walk_signed, "walk: aarch64, authentication codes are taken off return addresses")
{
	struct bench b;

	/* x30 is signed, and then also saved: CFA = sp + 32, x29 at CFA - 32, x30 at CFA - 24 */
	bench__aarch64(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x2d);
	FUNCTION(&b, 1, 0x2d, 0x0e, 32, 0x80 | 29, 4, 0x80 | 30, 3);
	FUNCTION(&b, 2, 0x07, 30);
	b.regs.v[30] = AT(1, 0x20) | 0x003f000000000000ULL;
	b.stack[1] = AT(2, 0x20) | 0x0015000000000000ULL;
	bench__walk_by(&b, "aarch64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0x20), AT(2, 0x20));
}

TEST(walk_leaf_only, "walk: aarch64, x30 is the return address of a leaf alone")
{
	struct bench b;

	bench__aarch64(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x00);
	FUNCTION(&b, 1, 0x00);
	b.regs.v[30] = AT(1, 0x20);
	bench__walk_by(&b, "aarch64", "table");
	EXPECT(&b, UNWIND_UNKNOWN_REG, AT(0, 0x10), AT(1, 0x20));
}

static void bench__s390x(struct bench *b)
{
	static const u8 cie[] = { 0x0c, 15, 0xa0, 1 };

	memset(b, 0, sizeof(*b));
	elf_build__init(&b->elf, EM_S390, true, 14, cie, sizeof(cie));
	b->regs.known = BIT_ULL(33) | BIT_ULL(15) | BIT_ULL(14) | BIT_ULL(11);
	b->regs.v[15] = SP;
}

TEST(walk_sigreturn, "walk: aarch64 and s390x, signal frames that no row tells of")
{
	static const u8 a64[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 };
	struct bench b;

	/* The handler's x30 is the trampoline's address; its caller was interrupted in a leaf. */
	bench__aarch64(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x00);
	FUNCTION(&b, 2, 0x0c, 9, 0); /* CFA = x9 */
	FUNCTION(&b, 3, 0x07, 30);
	memcpy(b.elf.code + 0x100, a64, sizeof(a64));
	b.regs.v[30] = AT(1, 0);
	b.stack[(312 + 9 * 8) / 8] = SP + 640;   /* x9 */
	b.stack[(312 + 30 * 8) / 8] = AT(3, 0x20);
	b.stack[560 / 8] = SP + 600;             /* sp */
	b.stack[568 / 8] = AT(2, 0);             /* pc */
	bench__walk_by(&b, "aarch64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0), AT(2, 0), AT(3, 0x20));

	/* In the trampoline, last in the system call, where the record of fpsimd has to be. */
	b.stack[592 / 8] = 0x46508001;
	for (u32 i = 0; i <= 8; i += 4) {
		b.regs.v[32] = AT(1, i);
		bench__walk_by(&b, "aarch64", "table");
		EXPECT(&b, UNWIND_OUTERMOST, AT(1, i), AT(2, 0), AT(3, 0x20));
	}
	/* It has given SP back; nothing tells of the rest. */
	b.stack[592 / 8] = 0;
	bench__walk_by(&b, "aarch64", "table");
	TEST_TRUE(b.chain.stop != UNWIND_OUTERMOST);
	/* No system call any more. */
	b.stack[592 / 8] = 0x46508001;
	b.regs.v[32] = AT(1, 12);
	bench__walk_by(&b, "aarch64", "table");
	TEST_TRUE(b.chain.stop != UNWIND_OUTERMOST);

	bench__s390x(&b);
	FUNCTION(&b, 0, 0x00);
	FUNCTION(&b, 1, 0x00); /* the vdso's row: that of a leaf */
	FUNCTION(&b, 2, 0x00);
	FUNCTION(&b, 3, 0x07, 14);
	b.elf.code[0x100] = 0x0a;
	b.elf.code[0x101] = 173;
	b.regs.v[33] = AT(0, 0x10);
	b.regs.v[14] = AT(1, 0);
	b.stack[344 / 8] = __builtin_bswap64(AT(2, 0));
	b.stack[(352 + 14 * 8) / 8] = __builtin_bswap64(AT(3, 0x20));
	b.stack[(352 + 15 * 8) / 8] = __builtin_bswap64(SP + 400);
	bench__walk_by(&b, "s390x", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0), AT(2, 0), AT(3, 0x20));

	/* The trampoline of handlers without SA_SIGINFO; first called, then running itself. */
	memset(b.stack, 0, sizeof(b.stack));
	b.elf.code[0x101] = 119;
	b.stack[184 / 8] = __builtin_bswap64(AT(2, 0));
	b.stack[(192 + 14 * 8) / 8] = __builtin_bswap64(AT(3, 0x20));
	b.stack[(192 + 15 * 8) / 8] = __builtin_bswap64(SP + 400);
	bench__walk_by(&b, "s390x", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0), AT(2, 0), AT(3, 0x20));
	b.regs.v[33] = AT(1, 0);
	bench__walk_by(&b, "s390x", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(1, 0), AT(2, 0), AT(3, 0x20));

	/* As of older Linux: on the stack. */
	b.regs.v[33] = AT(0, 0x10);
	b.regs.v[14] = SP + 328;
	b.stack[328 / 8] = __builtin_bswap64(0x0a77000000000000);
	bench__walk_by(&b, "s390x", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), SP + 328, AT(2, 0), AT(3, 0x20));
}

TEST(walk_s390x_leaf, "walk: s390x, a leaf that has saved r11 and r14 in float registers")
{
	struct bench b;

	bench__s390x(&b);
	FUNCTION(&b, 0, 0x09, 11, 17, 0x09, 14, 16); /* r11 in f2, r14 in f0 */
	FUNCTION(&b, 1, 0x0c, 11, 0xc0, 2, 0x8e, 6); /* CFA = r11 + 320, r14 at CFA - 48 */
	FUNCTION(&b, 2, 0x07, 14);
	b.regs.known |= 0xffffULL << 16;
	b.regs.v[33] = AT(0, 0x10);
	b.regs.v[16] = AT(1, 0x20);  /* f0 */
	b.regs.v[16 + 2] = SP;       /* f2 */
	b.stack[(320 - 48) / 8] = __builtin_bswap64(AT(2, 0x20));
	bench__walk_by(&b, "s390x", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0x20), AT(2, 0x20));
}

TEST(walk_s390x_chain, "walk: s390x, code without rows is left by the back chain")
{
	struct bench b;

	bench__s390x(&b);
	FUNCTION(&b, 1, 0x07, 14);
	b.regs.v[33] = AT(8, 0x10);
	b.stack[0] = __builtin_bswap64(SP + 160);
	b.stack[(160 + 112) / 8] = __builtin_bswap64(AT(1, 0x20));
	b.elf.code[0x120 - 6] = 0xc0; /* BRASL %r14 */
	b.elf.code[0x120 - 5] = 0xe5;
	bench__walk_by(&b, "s390x", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10), AT(1, 0x20));
	b.stack[0] = __builtin_bswap64(SP);
	bench__walk_by(&b, "s390x", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10));
}
