// SPDX-License-Identifier: GPL-2.0-only
/* Which frames are outermost, so that a chain counts as whole, and which are not. */
#include <elf.h>

#include "../test.h"
#include "../lib/walk-bench.h"

static void put(struct bench *b, u32 at, const char *bytes, size_t len)
{
	memcpy(b->elf.code + at, bytes, len);
}

/* push %rbp; mov %rsp,%rbp */
static void put_record(struct bench *b, u32 at)
{
	put(b, at, "\x55\x48\x89\xe5", 4);
}

/* What the kernel gives to a new program with two arguments: on the stack from word @at on. */
static void put_arguments(struct bench *b, u32 at)
{
	u64 *v = b->stack + at, end = SP + sizeof(b->stack);
	const u64 words[] = { 2, end, end + 5, 0, end + 12, end + 40, 0, AT_HWCAP, 0x1f8bfbff,
			      AT_PAGESZ, 4096, AT_ENTRY, TEXT + 0xa00, AT_NULL, 0 };

	memcpy(v, words, sizeof(words));
}

/* Function 8 has a frame record, by which function 9 is its caller; FP is 0 there. */
static void zero_fp(struct bench *b)
{
	bench__x86(b, AT(8, 0x10));
	put_record(b, 0x800);
	put(b, 0x91b, "\xe8\xe0\xfe\xff\xff", 5); /* 9 calls 8 */
	b->regs.v[6] = SP + 32;
	b->stack[4] = 0;
	b->stack[5] = AT(9, 0x20);
}

TEST(root_zero_fp, "walk: a frame pointer that is 0, in code without rows, ends no stack")
{
	struct bench b;

	zero_fp(&b);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10), AT(9, 0x20));

	/* Near the entry, too, by which it is a neighbour only. */
	zero_fp(&b);
	b.elf.entry = ELF_TEXT + 0x8f0;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10), AT(9, 0x20));

	/* In code that was made at run time. */
	zero_fp(&b);
	b.jit = BIAS + 0x100000;
	b.regs.v[8] = b.jit + 0x10;
	b.stack[5] = b.jit + 0x20;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_MODULE, b.jit + 0x10, b.jit + 0x20);
}

TEST(root_arguments, "walk: the frame above which the kernel has put a program's arguments")
{
	struct bench b;

	zero_fp(&b);
	put_arguments(&b, 10);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10), AT(9, 0x20));

	/* A word in between could be a caller. */
	b.stack[8] = AT(9, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	TEST_EQ(b.chain.stop, UNWIND_NO_ROW);

	/* What programs do to them. */
	zero_fp(&b);
	put_arguments(&b, 10);
	b.stack[12] = 0;
	b.stack[15] = BIAS;
	bench__walk_by(&b, "x86_64", "table");
	TEST_EQ(b.chain.stop, UNWIND_OUTERMOST);

	/* Another number that is right by chance: there are frames between it and the NULL. */
	zero_fp(&b);
	put_arguments(&b, 12);
	b.stack[6] = 8;
	b.stack[9] = AT(9, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	TEST_EQ(b.chain.stop, UNWIND_NO_ROW);

	/* No arguments: the number is another one; so is the page's size; the vector is cut. */
	zero_fp(&b);
	put_arguments(&b, 10);
	b.stack[10] = 3;
	bench__walk_by(&b, "x86_64", "table");
	TEST_EQ(b.chain.stop, UNWIND_NO_ROW);
	zero_fp(&b);
	put_arguments(&b, 10);
	b.stack[20] = 4097;
	bench__walk_by(&b, "x86_64", "table");
	TEST_EQ(b.chain.stop, UNWIND_NO_ROW);
	zero_fp(&b);
	put_arguments(&b, 10);
	memset(b.stack + 10, 0, 3 * sizeof(*b.stack)); /* 0 arguments, and a NULL behind */
	bench__walk_by(&b, "x86_64", "table");
	TEST_EQ(b.chain.stop, UNWIND_NO_ROW);
	zero_fp(&b);
	put_arguments(&b, WORDS - 9);
	bench__walk_by(&b, "x86_64", "table");
	TEST_EQ(b.chain.stop, UNWIND_NO_ROW);

	/* They are where a row expects the return address: of Go's entry, which has rows. */
	bench__x86(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x00);
	put_arguments(&b, 0);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10));
	b.stack[0] = 3;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_BAD_RA, AT(0, 0x10));
}

/* Function 0 has rows, and calls 1, whose return address is 0. */
static void zero_ra(struct bench *b)
{
	bench__x86(b, AT(1, 0x10));
	FUNCTION(b, 0, 0x0e, 16);
	FUNCTION(b, 1, 0x0e, 16);
	put(b, 0x1b, "\xe8\xe0\0\0\0", 5);
}

TEST(root_zero_ra, "walk: 0 in the place of a return address ends a stack only where it can")
{
	static const u8 returns[] = { 0xc3, 0xc2, 0xe9 }; /* the last one jumps to elsewhere */
	struct bench b;

	/* A function that never returns, above which there is no caller. */
	zero_ra(&b);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(1, 0x10));
	b.stack[20] = AT(0, 0x20);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_BAD_RA, AT(1, 0x10));

	/* In the middle: what is above is not looked for. */
	for (size_t i = 0; i < ARRAY_SIZE(returns); i++) {
		zero_ra(&b);
		memset(b.elf.code + 0x100, 0x90, 0x100);
		put(&b, 0x180, (const char *)&returns[i], 1);
		put(&b, 0x181, "\0\x10\0\0", 4);
		bench__walk_by(&b, "x86_64", "table");
		EXPECT(&b, UNWIND_BAD_RA, AT(1, 0x10));
	}

	/* By rules of another shape, and where a signal has interrupted a call of address 0. */
	bench__x86(&b, AT(1, 0x10));
	FUNCTION(&b, 1, 0x0f, 3, 0x77, 0, 0x06); /* CFA = *(rsp) */
	b.stack[0] = SP + 16;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(1, 0x10));
	put(&b, 0x180, "\xc3", 1);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_BAD_RA, AT(1, 0x10));
}

TEST(root_zero_top, "walk: 0 ends a stack at the top of what was made for it")
{
	const u64 top = SP + 4096;
	struct bench b;

	for (u32 above = 1; above < 40; above += 6) {
		struct unwind_stack stack = { .data = (u8 *)b.stack, .size = sizeof(b.stack) };

		zero_ra(&b);
		put(&b, 0x180, "\xc3", 1);
		b.regs.v[7] = stack.start = top - 8 * (above + 2);
		for (u32 caller = 0; caller < 2; caller++) {
			b.stack[above + 20] = caller ? AT(0, 0x20) : 0;
			bench__open(&b, "x86_64", "table");
			b.chain = (struct unwind_chain){ .ips = b.ips, .max = 16 };
			unwind__walk(b.space, &b.regs, &stack, &b.chain);
			bench__close(&b);
			EXPECT(&b, above <= 16 && !caller ? UNWIND_OUTERMOST : UNWIND_BAD_RA,
			       AT(1, 0x10));
		}
	}
}

TEST(root_on_stack, "walk: arguments on a stack that may be executed are no return addresses")
{
	struct bench b;

	zero_fp(&b);
	put_arguments(&b, 10);
	b.jit = SP;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10), AT(9, 0x20));
	/* Other code without a file may have called. */
	b.jit = BIAS + 0x100000;
	b.stack[8] = b.jit + 0x10;
	bench__walk_by(&b, "x86_64", "table");
	TEST_EQ(b.chain.stop, UNWIND_NO_ROW);
}

TEST(root_thread, "walk: the frame that ends its thread, when its frame pointer is 0")
{
	static const struct { const char *code; u8 len; bool ends; } forms[] = {
		{ "\x48\x89\xc7\xb8\x3c\0\0\0\x0f\x05", 10, true },    /* glibc */
		{ "\x89\xc7\x31\xc0\xb0\x3c\x0f\x05", 8, true },       /* musl */
		{ "\x89\xc7\xb8\xe7\0\0\0\x0f\x05", 9, true },         /* exit_group */
		{ "\x89\xc7\xb8\x3b\0\0\0\x0f\x05", 9, false },        /* another call */
		{ "\x89\xc7\xb8\x3c\0\0\0\x90\x90", 9, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct bench b;

		zero_fp(&b);
		put(&b, 0x920, forms[i].code, forms[i].len);
		bench__walk_by(&b, "x86_64", "table");
		EXPECT(&b, forms[i].ends ? UNWIND_OUTERMOST : UNWIND_NO_ROW, AT(8, 0x10),
		       AT(9, 0x20));
		b.stack[4] = SP + 8;
		bench__walk_by(&b, "x86_64", "table");
		EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10), AT(9, 0x20));
	}
}

TEST(root_coroutine, "walk: where goroutines and coroutines begin, though nobody calls there")
{
	static const struct { const char *code; u8 len, at; } forms[] = {
		{ "\x90\xe8\0\0\0\0\x90", 7, 1 },                                /* Go */
		{ "\x48\x89\xdc\x48\x8b\x3c\x24\x48\x85\xff\x74\x08", 12, 0 },   /* makecontext() */
		{ "\x55\xff\xe3\x48\x31\xff\xe8\0\0\0\0", 11, 3 },               /* Boost.Context */
		{ "\x55\xff\xe3\x31\xff\xe8\0\0\0\0", 10, 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct bench b;

		/* By a row, and by a frame record that goes on. */
		bench__x86(&b, AT(0, 0x10));
		FUNCTION(&b, 0, 0x00);
		put(&b, 0x900, forms[i].code, forms[i].len);
		b.stack[0] = AT(9, forms[i].at);
		bench__walk_by(&b, "x86_64", "table");
		EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(9, forms[i].at));

		zero_fp(&b);
		put(&b, 0x900, forms[i].code, forms[i].len);
		b.stack[4] = SP + 80;
		b.stack[5] = AT(9, forms[i].at);
		bench__walk_by(&b, "x86_64", "table");
		EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10), AT(9, forms[i].at));
		b.elf.code[0x900 + forms[i].at] ^= 1;
		bench__walk_by(&b, "x86_64", "table");
		EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10));
	}
}

TEST(root_musl, "walk: where musl has begun a thread, whatever is in the frame pointer")
{
	struct bench b;

	zero_fp(&b);
	b.stack[4] = SP + 8;
	put(&b, 0x91a, "\x31\xed\x5f\x41\xff\xd1\x89\xc7\x31\xc0\xb0\x3c\x0f\x05", 14);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10), AT(9, 0x20));
	b.elf.code[0x91b] = 0xdb; /* another register */
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10), AT(9, 0x20));
}

TEST(root_entry, "walk: the first instruction of a program, and of no other function")
{
	struct bench b;

	bench__x86(&b, AT(8, 0));
	b.elf.entry = ELF_TEXT + 0x800;
	put_arguments(&b, 0);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0));
	/* Of a library the linker has made the first function its entry: it has a caller. */
	b.stack[0] = AT(9, 0x20);
	b.elf.code[0x800] = 0xc3;
	put(&b, 0x91b, "\xe8\xe0\xfe\xff\xff", 5);
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0), AT(9, 0x20));
	b.stack[0] = 0;
	bench__walk_by(&b, "x86_64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0));
	b.regs.v[8] = AT(8, 0x20);
	bench__walk(&b, "x86_64");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x20));
}

TEST(root_aarch64, "walk: aarch64, the roots of goroutines and threads without rows")
{
	struct bench b;

	/* NOP; BL: Go's runtime.goexit. Then BLR x1; MOV x8, #93; SVC #0. */
	bench__aarch64(&b, AT(8, 0x10));
	b.regs.v[29] = SP + 32;
	b.stack[5] = AT(9, 0x24);
	put(&b, 0x920, "\x1f\x20\x03\xd5\x00\x00\x00\x94", 8);
	bench__walk_by(&b, "aarch64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10), AT(9, 0x24));
	put(&b, 0x920, "\x20\x00\x3f\xd6\xa8\x0b\x80\xd2\x01\x00\x00\xd4", 12);
	bench__walk_by(&b, "aarch64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(8, 0x10), AT(9, 0x24));
	put(&b, 0x924, "\x1f\x20\x03\xd5", 4);
	bench__walk_by(&b, "aarch64", "table");
	EXPECT(&b, UNWIND_NO_ROW, AT(8, 0x10), AT(9, 0x24));
}
