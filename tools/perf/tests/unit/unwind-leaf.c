// SPDX-License-Identifier: GPL-2.0-only
/* Code without rows of its own: functions that were interrupted, and PLTs. */
#include <elf.h>

#include "../test.h"
#include "../lib/walk-bench.h"

static void put(struct bench *b, u32 at, const char *bytes, size_t len)
{
	memcpy(b->elf.code + at, bytes, len);
}

/* Function 8 has no rows, 1 is the outermost; rbp is that of a frame above the stack's first. */
static void x86_leaf(struct bench *b, u64 off)
{
	bench__x86(b, AT(8, off));
	FUNCTION(b, 1, 0x07, 16);
	FUNCTION(b, 2, 0x0e, 32);
	b->stack[0] = AT(2, 0x20);
	b->stack[4] = AT(1, 0x20);
	/* 2 calls 8: e8, 0x5e0 bytes on */
	put(b, 0x200 + 0x20 - 5, "\xe8\xe0\x05\0\0", 5);
}

TEST(leaf_called, "walk: x86-64, a function without rows that a direct call has led to")
{
	struct bench b;

	x86_leaf(&b, 0x10);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10), AT(2, 0x20), AT(1, 0x20));

	/* Another function ends in between: the call was of that one. */
	x86_leaf(&b, 0x10);
	put(&b, 0x808, "\xc3\x90", 2);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10));
	x86_leaf(&b, 0x10);
	put(&b, 0x805, "\xcc\xcc\xcc", 3);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10));

	/* It has made room on the stack: what lies there may be a call of long ago. */
	x86_leaf(&b, 0x10);
	put(&b, 0x804, "\x48\x83\xec\x20", 4);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10));

	/* Not a direct call; one of what lies behind; not wanted; not the innermost frame. */
	x86_leaf(&b, 0x10);
	put(&b, 0x200 + 0x20 - 5, "\0\0\0\xff\xd0", 5);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10));
	x86_leaf(&b, 0x10);
	put(&b, 0x200 + 0x20 - 5, "\xe8\xf8\x05\0\0", 5);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10));
	x86_leaf(&b, 0x10);
	bench__walk_by(&b, "x86_64", "sframe,eh_frame");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10));
	x86_leaf(&b, 0x10);
	b.regs.v[8] = AT(2, 0);
	b.stack[3] = AT(8, 0x10);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(2, 0), AT(8, 0x10));

	/* It has called itself: SP does not move between its first instruction and the pc. */
	bench__x86(&b, AT(8, 0x40));
	b.stack[0] = AT(8, 0x30);
	put(&b, 0x830 - 5, "\xe8\xd0\xff\xff\xff", 5);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x40), AT(8, 0x30));
}

/* push %rbp; mov %rsp,%rbp */
static void put_prologue(struct bench *b, u32 at)
{
	put(b, at, "\x55\x48\x89\xe5", 4);
}

TEST(leaf_trampoline, "walk: code without rows that returns to a signal's trampoline")
{
	static const u8 row[] = { 0x0c, 7, 64, 0x90, 1 };
	struct bench b;

	/* Its row is that of a signal frame: CFA = rsp + 64, RA at CFA - 8. */
	bench__x86(&b, AT(8, 0x10));
	elf_build__add_signal(&b.elf, ELF_TEXT + 0x0ff, 0x101, row, sizeof(row));
	FUNCTION(&b, 2, 0x07, 16);
	put_prologue(&b, 0x800);
	b.regs.v[6] = SP + 32;
	b.stack[4] = SP + 64;
	b.stack[5] = AT(1, 0);
	b.stack[6 + 7] = AT(2, 0);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10), AT(1, 0), AT(2, 0));
}

TEST(leaf_edges, "walk: x86-64, the first and last instructions of functions without rows")
{
	static const struct { const char *bytes; u8 len, at; bool pushed; } edges[] = {
		{ .bytes = "\x55", .len = 1 }, /* push %rbp */
		{ .bytes = "\xf3\x0f\x1e\xfa", .len = 4 }, /* endbr64 */
		/* mov %rsp,%rbp */
		{ .bytes = "\x55\x48\x89\xe5", .len = 4, .at = 1, .pushed = true },
		{ .bytes = "\xc3", .len = 1 }, /* ret */
		{ .bytes = "\x48\x83\xec\x08", .len = 4 }, /* sub $8,%rsp */
		/* add $8,%rsp; ret */
		{ .bytes = "\x48\x83\xc4\x08\xc3", .len = 5, .pushed = true },
		{ .bytes = "\xf3\xc3", .len = 2 },
		{ .bytes = "\x0f\x05", .len = 2, .at = 2 }, /* in a system call */
	};

	for (size_t i = 0; i < ARRAY_SIZE(edges); i++) {
		struct bench b;

		bench__x86(&b, AT(8, 0x10 + edges[i].at));
		FUNCTION(&b, 1, 0x07, 16);
		b.stack[edges[i].pushed] = AT(1, 0x20);
		put(&b, 0x120 - 2, "\xff\xd0", 2); /* an indirect call */
		put(&b, 0x810, edges[i].bytes, edges[i].len);
		bench__walk_by(&b, "x86_64", "table");
		EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10 + edges[i].at), AT(1, 0x20));
		put(&b, 0x120 - 2, "\x90\x90", 2);
		bench__walk_by(&b, "x86_64", "table");
		TEST_EQ(b.chain.nr, 1);
	}
}

TEST(leaf_aligned, "walk: x86-64, behind an aligned SP the return address is a copy, or an old one")
{
	/* and $-64,%rsp; mov $64,%edx; push -8(%r10); push %rbp; mov %rsp,%rbp */
	static const char drap[] =
		"\x48\x83\xe4\xc0\xba\x40\0\0\0\x41\xff\x72\xf8"
		"\x55\x48\x89\xe5";
	static const char room[] = "\x48\x83\xe4\xc0\x48\x83\xec\x40";
	static const struct { const char *bytes; u8 len, at, slot; } forms[] = {
		{ drap, sizeof(drap) - 1, 13, 0 },
		{ drap, sizeof(drap) - 1, 14, 1 },
		{ room, sizeof(room) - 1, 4, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct bench b;

		bench__x86(&b, AT(8, 0x10 + forms[i].at));
		FUNCTION(&b, 1, 0x07, 16);
		b.stack[forms[i].slot] = AT(1, 0x20);
		put(&b, 0x120 - 2, "\xff\xd0", 2); /* an indirect call */
		put(&b, 0x810, forms[i].bytes, forms[i].len);
		bench__walk_by(&b, "x86_64", "table");
		EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10 + forms[i].at));
		/* A direct call of this function does not prove where its caller is. */
		put(&b, 0x120 - 5, "\xe8\xf0\x06\0\0", 5);
		bench__walk_by(&b, "x86_64", "table");
		EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10 + forms[i].at));
	}
}

TEST(leaf_aarch64, "walk: aarch64, functions without rows whose return address is in x30")
{
	struct bench b;

	/* BL from function 1 to 8; then the first instructions of a frame, by an indirect call */
	bench__aarch64(&b, AT(8, 0x10));
	FUNCTION(&b, 1, 0x07, 30);
	put(&b, 0x11c, "\xb9\x01\x00\x94", 4); /* BL 0x6e4 on */
	b.regs.v[30] = AT(1, 0x20);
	bench__walk_by(&b, "aarch64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10), AT(1, 0x20));
	put(&b, 0x808, "\xc0\x03\x5f\xd6", 4); /* RET */
	bench__walk_by(&b, "aarch64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10));

	put(&b, 0x11c, "\x00\x00\x3f\xd6", 4); /* BLR x0 */
	/* STP x29, x30, [SP, #-32]!; MOV x29, SP */
	put(&b, 0x80c, "\xfd\x7b\xbe\xa9\xfd\x03\x00\x91", 8);
	FUNCTION(&b, 1, 0x0e, 32, 0x80 | 30, 1);
	b.regs.v[8] = 0;
	for (u32 i = 0; i < 2; i++) {
		b.regs.v[32] = AT(8, 0x0c + 4 * i);
		bench__walk_by(&b, "aarch64", "table");
		EXPECT(&b, UNWIND_OUTERMOST, b.regs.v[32], AT(1, 0x20));
	}
}

TEST(leaf_aarch64_lifted, "walk: aarch64, what a PLT has pushed below a CFA that does not say so")
{
	struct bench b;

	/* RA in x30, then at CFA + 8, then CFA = SP - 16; the caller's at its CFA - 8 = SP + 24 */
	bench__aarch64(&b, AT(0, 0));
	FUNCTION(&b, 0, 0x50, 0x11, 30, 0x7f, 0x50, 0x12, 31, 2);
	FUNCTION(&b, 1, 0x0e, 32, 0x80 | 30, 1);
	FUNCTION(&b, 2, 0x07, 30);
	b.regs.v[30] = AT(1, 0x20);
	b.stack[2 + 3] = AT(2, 0x20);
	bench__walk_by(&b, "aarch64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0), AT(1, 0x20), AT(2, 0x20));

	b.regs.v[30] = 0;
	b.regs.v[32] = AT(0, 0x10);
	b.stack[1] = AT(1, 0x20);
	bench__walk_by(&b, "aarch64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0x20), AT(2, 0x20));

	/* The slot is below SP, the address in x30 again. */
	b.regs.v[30] = AT(1, 0x20);
	b.regs.v[32] = AT(0, 0x20);
	b.stack[1] = 0;
	b.stack[3] = AT(2, 0x20);
	bench__walk_by(&b, "aarch64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x20), AT(1, 0x20), AT(2, 0x20));
}

static void walk_plt(const char *code, size_t len, u32 at, u32 pushed)
{
	struct bench b;

	bench__x86(&b, TEXT + at);
	FUNCTION(&b, 1, 0x07, 16);
	b.elf.plt = 0x100;
	put(&b, 0, code, len);
	b.stack[pushed] = AT(1, 0x20);
	bench__walk_by(&b, "x86_64", "sframe,eh_frame");
	EXPECT(&b, UNWIND_OUTERMOST, TEXT + at, AT(1, 0x20));
}

TEST(leaf_sigreturn, "walk: x86-64, the trampoline of a C library that says nothing of it")
{
	static const struct { const char *code; u8 len; } forms[] = {
		{ "\x48\xc7\xc0\x0f\0\0\0\x0f\x05", 9 }, { "\xb8\x0f\0\0\0\x0f\x05", 7 },
	};

	for (u32 i = 0; i < 4; i++) {
		const char *code = forms[i & 1].code;
		struct bench b;

		/* The handler has a row, the interrupted function finds its CFA by rbp. */
		bench__x86(&b, AT(0, 0x10));
		FUNCTION(&b, 0, 0x00);
		FUNCTION(&b, 3, 0x0c, 6, 16);
		FUNCTION(&b, 4, 0x07, 16);
		put(&b, 0x200, code, forms[i & 1].len);
		b.stack[0] = AT(2, 0);
		b.stack[1 + 120 / 8] = SP + 400;
		b.stack[1 + 160 / 8] = SP + 384;
		b.stack[1 + 168 / 8] = AT(3, 0);
		b.stack[408 / 8] = AT(4, 0x20);
		if (i < 2) {
			bench__walk_by(&b, "x86_64", "table");
			EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(2, 0), AT(3, 0), AT(4, 0x20));
			continue;
		}
		/* It is in the system call itself. */
		memmove(b.stack, b.stack + 1, sizeof(b.stack) - 8);
		b.stack[400 / 8] = 0;
		b.stack[408 / 8] = AT(4, 0x20);
		b.regs.v[8] = AT(2, forms[i & 1].len);
		bench__walk_by(&b, "x86_64", "table");
		EXPECT(&b, UNWIND_OUTERMOST, b.regs.v[8], AT(3, 0), AT(4, 0x20));
	}
}

TEST(leaf_in_sigreturn, "walk: x86-64, in the system call at the end of a trampoline that has rows")
{
	static const u8 row[] = { 0x0c, 7, 64, 0x90, 1 };
	struct bench b;

	/* CFA = rsp + 64, RA at CFA - 8, as a signal frame's; its instructions are not asked. */
	bench__x86(&b, AT(1, 9));
	elf_build__add_signal(&b.elf, ELF_TEXT + 0x0ff, 10, row, sizeof(row));
	FUNCTION(&b, 2, 0x07, 16);
	b.stack[7] = AT(2, 0);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(1, 9), AT(2, 0));

	/* An instruction further on nothing is known. */
	b.regs.v[8] = AT(1, 10);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(1, 10));

	/* Behind another function that ends with a system call, too. */
	bench__x86(&b, AT(1, 9));
	elf_build__add(&b.elf, ELF_TEXT + 0x0ff, 10, row, sizeof(row));
	b.stack[7] = AT(2, 0);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(1, 9));
}

TEST(leaf_interrupted, "walk: a function without rows that a signal has interrupted")
{
	struct bench b;

	bench__x86(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x00);
	FUNCTION(&b, 5, 0x07, 16);
	put(&b, 0x200, "\xb8\x0f\0\0\0\x0f\x05", 7);
	b.stack[0] = AT(2, 0);
	b.stack[1 + 160 / 8] = SP + 384;
	b.stack[1 + 168 / 8] = AT(8, 0x10);
	b.stack[384 / 8] = AT(5, 0x20);
	put(&b, 0x51b, "\xe8\xe0\x02\0\0", 5); /* call of function 8 */
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(2, 0), AT(8, 0x10), AT(5, 0x20));
}

TEST(leaf_plt, "walk: x86-64 and aarch64, PLTs that the linker has made no rows for")
{
	static const char lazy[] = "\xff\x35\1\1\1\1\xff\x25\1\1\1\1\x90\x90\x90\x90"
				   "\xff\x25\1\1\1\1\x68\0\0\0\0\xe9\0\0\0";
	static const char ibt[] = "\xff\x35\1\1\1\1\xff\x25\1\1\1\1\x90\x90\x90\x90"
				  "\xf3\x0f\x1e\xfa\x68\0\0\0\0\xe9\0\0\0\0\x90";
	static const char now[] = "\xff\x25\1\1\1\1\x66\x90";
	struct bench b;

	walk_plt(lazy, sizeof(lazy), 0, 1);
	walk_plt(lazy, sizeof(lazy), 6, 2);
	walk_plt(lazy, sizeof(lazy), 16, 0);
	walk_plt(lazy, sizeof(lazy), 16 + 11, 1);
	walk_plt(lazy, sizeof(lazy), 32 + 6, 0);
	walk_plt(ibt, sizeof(ibt), 16 + 4, 0);
	walk_plt(ibt, sizeof(ibt), 16 + 9, 1);
	walk_plt(now, sizeof(now), 8, 0);

	bench__aarch64(&b, TEXT + 4);
	FUNCTION(&b, 1, 0x07, 30);
	b.elf.plt = 0x100;
	put(&b, 0, "\xf0\x7b\xbf\xa9", 4); /* STP x16, x30, [SP, #-16]! */
	b.stack[1] = AT(1, 0x20);
	bench__walk_by(&b, "aarch64", "eh_frame");
	EXPECT(&b, UNWIND_OUTERMOST, TEXT + 4, AT(1, 0x20));
	b.regs.v[32] = TEXT + 0x28;
	b.regs.v[30] = AT(1, 0x20);
	bench__walk_by(&b, "aarch64", "eh_frame");
	EXPECT(&b, UNWIND_OUTERMOST, TEXT + 0x28, AT(1, 0x20));
}

TEST(leaf_s390x, "walk: s390x, code without rows that its prologue tells of")
{
	static const u8 cie[] = { 0x0c, 15, 0xa0, 1 };
	struct bench b;

	memset(&b, 0, sizeof(b));
	elf_build__init(&b.elf, EM_S390, true, 14, cie, sizeof(cie));
	FUNCTION(&b, 1, 0x07, 14);
	b.regs.known = BIT_ULL(33) | BIT_ULL(15) | BIT_ULL(14) | BIT_ULL(11);
	b.regs.v[15] = SP;
	b.regs.v[33] = AT(8, 0x20);
	/* STMG %r11,%r15,88(%r15); LAY %r15,-168(%r15) */
	put(&b, 0x810, "\xeb\xbf\xf0\x58\0\x24\xe3\xf0\xff\x58\xff\x71", 12);
	put(&b, 0x11e, "\x0d\xe1", 2); /* BASR %r14,%r1 */
	b.stack[(168 + 112) / 8] = __builtin_bswap64(AT(1, 0x20));
	bench__walk_by(&b, "s390x", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x20), AT(1, 0x20));

	/* Another function has begun since; SP has not moved yet. */
	put(&b, 0x81c, "\x07\xfe", 2);
	bench__walk_by(&b, "s390x", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x20));
	put(&b, 0x81c, "\0", 2);
	b.regs.v[33] = AT(8, 0x16);
	bench__walk_by(&b, "s390x", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x16));
}
