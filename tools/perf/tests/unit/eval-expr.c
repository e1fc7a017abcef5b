// SPDX-License-Identifier: GPL-2.0-only
/* DWARF expressions of call frame information, operation by operation. */
#include "../../../lib/unwind/walk/eval.h"
#include "../test.h"

#define MEMORY 0x1000ULL

static bool read_memory(void *ctx __unused_arg, u64 addr, u32 size, u64 *v)
{
	static const u8 memory[16] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99 };

	if (addr < MEMORY || addr - MEMORY > sizeof(memory) - size)
		return false;
	*v = 0;
	for (u32 i = size; i; i--)
		*v = *v << 8 | memory[addr - MEMORY + i - 1];
	return true;
}

static enum eval_result eval(const u8 *code, size_t len, const u64 *initial, u64 *fault, u64 *v)
{
	const struct eval_memory mem = { .read = read_memory };
	const struct eval_regs regs = {
		.known = BIT_ULL(3) | BIT_ULL(7) | BIT_ULL(16),
		.v = { [3] = 30, [7] = MEMORY, [16] = 5 },
	};

	return eval__expr(&mem, &regs, cursor__init(code, len, false), 0x10000, initial, fault, v);
}

#define GIVES(want, ...)                                                              \
	do {                                                                          \
		const u8 _code[] = { __VA_ARGS__ };                                   \
		u64 _v, _fault;                                                       \
		TEST_EQ(eval(_code, sizeof(_code), NULL, &_fault, &_v), EVAL_CALLER); \
		TEST_EQ(_v, (u64)(want));                                             \
	} while (0)

#define FAILS(how, ...)                                                               \
	do {                                                                          \
		const u8 _code[] = { __VA_ARGS__ };                                   \
		u64 _v, _fault;                                                       \
		TEST_EQ(eval(_code, sizeof(_code), NULL, &_fault, &_v), how);         \
	} while (0)

TEST(eval_constants, "eval: constants of each size, and registers")
{
	GIVES(0x10008, 0x03, 8, 0, 0, 0, 0, 0, 0, 0);
	GIVES(200, 0x08, 200);
	GIVES(-56, 0x09, 200);
	GIVES(0xff01, 0x0a, 0x01, 0xff);
	GIVES(-255, 0x0b, 0x01, 0xff);
	GIVES(0xff000001, 0x0c, 1, 0, 0, 0xff);
	GIVES(-16777215, 0x0d, 1, 0, 0, 0xff);
	GIVES(0x8000000000000001, 0x0e, 1, 0, 0, 0, 0, 0, 0, 0x80);
	GIVES(0x8000000000000001, 0x0f, 1, 0, 0, 0, 0, 0, 0, 0x80);
	GIVES(300, 0x10, 0xac, 2);
	GIVES(-128, 0x11, 0x80, 0x7f);
	GIVES(31, 0x4f);
	GIVES(28, 0x73, 0x7e);       /* breg3 - 2 */
	GIVES(33, 0x92, 3, 3);       /* bregx 3 + 3 */
	GIVES(5, 0x80, 0);           /* breg16: the pc */
	FAILS(EVAL_UNKNOWN_REG, 0x74, 0);
	FAILS(EVAL_UNKNOWN_REG, 0x92, 60, 0);
}

TEST(eval_stack, "eval: the stack of an expression")
{
	GIVES(4, 0x32, 0x12, 0x22);                         /* 2 dup + */
	GIVES(1, 0x31, 0x32, 0x13);                         /* 1 2 drop */
	GIVES(1 + 2 + 1, 0x31, 0x32, 0x14, 0x22, 0x22);     /* 1 2 over + + */
	GIVES(7, 0x37, 0x31, 0x32, 0x15, 2);                /* 7 1 2 pick 2 */
	GIVES(2, 0x31, 0x33, 0x16, 0x1c);                   /* 1 3 swap -: 3 - 1 */
	GIVES(-1, 0x32, 0x33, 0x31, 0x17, 0x1c);            /* 2 3 1 rot: 1 2 3; - */
}

TEST(eval_arithmetic, "eval: arithmetic and comparisons, signed as DWARF says")
{
	GIVES(3, 0x09, 0xfd, 0x19);            /* abs -3 */
	GIVES(8, 0x3c, 0x3a, 0x1a);            /* 12 & 10 */
	GIVES(-3, 0x09, 0xf6, 0x33, 0x1b);     /* -10 / 3 */
	GIVES(7, 0x39, 0x32, 0x1c);            /* 9 - 2 */
	GIVES(1, 0x3a, 0x33, 0x1d);            /* 10 % 3 */
	GIVES(-12, 0x34, 0x09, 0xfd, 0x1e);    /* 4 * -3 */
	GIVES(-5, 0x35, 0x1f);
	GIVES(~5ULL, 0x35, 0x20);
	GIVES(14, 0x3c, 0x3a, 0x21);
	GIVES(22, 0x3c, 0x3a, 0x22);
	GIVES(305, 0x35, 0x23, 0xac, 2);
	GIVES(40, 0x35, 0x33, 0x24);
	GIVES(0, 0x35, 0x08, 64, 0x24);
	GIVES(0xf, 0x09, 0xff, 0x08, 60, 0x25);
	GIVES(0, 0x09, 0xff, 0x08, 70, 0x25);
	GIVES(-1, 0x09, 0xf0, 0x08, 99, 0x26);
	GIVES(6, 0x3c, 0x3a, 0x27);
	GIVES(1, 0x35, 0x35, 0x29);            /* eq */
	GIVES(1, 0x35, 0x35, 0x2a);            /* ge */
	GIVES(0, 0x09, 0xff, 0x30, 0x2b);      /* -1 > 0 */
	GIVES(1, 0x09, 0xff, 0x30, 0x2c);      /* -1 <= 0 */
	GIVES(1, 0x09, 0xff, 0x30, 0x2d);      /* -1 < 0 */
	GIVES(1, 0x35, 0x36, 0x2e);            /* ne */
	GIVES(1ULL << 63, 0x0e, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x09, 0xff, 0x1b); /* INT64_MIN / -1 */
	FAILS(EVAL_BAD, 0x35, 0x30, 0x1b);
	FAILS(EVAL_BAD, 0x35, 0x30, 0x1d);
}

TEST(eval_memory, "eval: memory, and what cannot be read")
{
	const u8 code[] = { 0x77, 9, 0x06 };
	u64 v, fault;

	GIVES(0x8877665544332211, 0x77, 0, 0x06);
	GIVES(0x99, 0x77, 8, 0x94, 1);
	GIVES(0x3322, 0x77, 1, 0x94, 2);
	GIVES(0x66554433, 0x77, 2, 0x94, 4);
	FAILS(EVAL_BAD, 0x77, 0, 0x94, 3);
	TEST_EQ(eval(code, sizeof(code), NULL, &fault, &v), EVAL_UNREADABLE);
	TEST_EQ(fault, MEMORY + 9);
}

TEST(eval_branches, "eval: jumps lead to operations, and not around for ever")
{
	const u8 plus[] = { 0x23, 2 };
	u64 initial = 40, v, fault;

	GIVES(7, 0x37, 0x2f, 1, 0, 0x31);                     /* 7 skip over 1 */
	GIVES(1, 0x31, 0x31, 0x28, 1, 0, 0x32);               /* 1 bra: taken */
	GIVES(2, 0x31, 0x30, 0x28, 1, 0, 0x32);               /* not taken */
	/* 5, then down to 0: dup, bra behind; jump back */
	GIVES(0, 0x35, 0x31, 0x1c, 0x12, 0x28, 0xfa, 0xff);
	FAILS(EVAL_BAD, 0x2f, 0xfd, 0xff);                    /* to itself */
	FAILS(EVAL_BAD, 0x2f, 0xf0, 0xff);                    /* before the beginning */
	FAILS(EVAL_BAD, 0x2f, 9, 0);                          /* behind the end */
	TEST_EQ(eval(plus, sizeof(plus), &initial, &fault, &v), EVAL_CALLER);
	TEST_EQ(v, 42);
}

TEST(eval_bad, "eval: what makes no sense, and stacks too low or too high")
{
	u8 deep[100];
	u64 v, fault;

	FAILS(EVAL_BAD, 0x22);
	FAILS(EVAL_BAD, 0x31, 0x14);
	FAILS(EVAL_BAD, 0x31, 0x15, 1);
	FAILS(EVAL_BAD, 0x31, 0xff);
	FAILS(EVAL_BAD, 0x50); /* reg0 is a place, no value */
	FAILS(EVAL_BAD, 0x0e, 1, 2);
	FAILS(EVAL_BAD, 0x10, 0x80);
	memset(deep, 0x31, sizeof(deep));
	TEST_EQ(eval(deep, sizeof(deep), NULL, &fault, &v), EVAL_BAD);
	TEST_EQ(eval(deep, 0, NULL, &fault, &v), EVAL_BAD);
}
