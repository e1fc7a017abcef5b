// SPDX-License-Identifier: GPL-2.0-only
/* Deferred callchains whose top is completed from a small stack copy; made-up code and stacks. */
#include "../../util/complete/leaf.h"
#include "../lib/walk-bench.h"
#include "../test.h"

/*
 * Function 0 has no frame of its own, 1 to 3 have one. The stack: 0 was called by 1, that by 2,
 * and that by 3; the frame pointer is still that of 1. The kernel has seen pc, 2, 3 and an outer
 * one, which is beyond the copy.
 */
#define FP_1 4  /* the word with the saved frame pointer of 1 */
#define FP_2 8
#define COPY 11 /* words that the sample has, in front of the return address of 2 */
#define OUTER 0x1234

struct leaf_test {
	struct bench b;
	struct sample s;
	struct whole_sample ws;
	u64 regs[3], record[4];
	u64 ips[16];
	u8 methods[16];
	struct unwind_chain chain;
};

static u64 word_at(u32 nr)
{
	return SP + nr * sizeof(u64);
}

static void add_call(struct bench *b, u64 ra)
{
	b->elf.code[ra - TEXT - 5] = 0xe8;
}

static void begin(struct leaf_test *t)
{
	struct bench *b = &t->b;

	memset(t, 0, sizeof(*t));
	bench__x86(b, AT(0, 0x10));
	FUNCTION(b, 0, 0x0e, 16);
	for (int i = 1; i < 4; i++) {
		FUNCTION(b, i, 0x0c, 6, 16, 0x86, 2); /* CFA = rbp + 16, rbp at CFA - 16 */
		add_call(b, AT(i, 0x20));
	}
	b->stack[1] = AT(1, 0x20);
	b->stack[FP_1] = word_at(FP_2);
	b->stack[FP_1 + 1] = AT(2, 0x20);
	b->stack[FP_2] = word_at(20);
	b->stack[FP_2 + 1] = AT(3, 0x20);
	t->regs[0] = word_at(FP_1); /* in the order of their numbers: bp, sp, ip */
	t->regs[1] = SP;
	t->regs[2] = AT(0, 0x10);
	memcpy(t->record, (u64[]){ AT(0, 0x10), AT(2, 0x20), AT(3, 0x20), OUTER },
	       sizeof(t->record));
	t->s = (struct sample){
		.user_regs = { .abi = PERF_SAMPLE_REGS_ABI_64, .mask = 7 << 6, .v = t->regs },
		.stack = (u8 *)b->stack, .stack_size = COPY * sizeof(u64),
		.stack_room = COPY * sizeof(u64),
	};
	t->ws = (struct whole_sample){
		.s = &t->s, .user_part = USER_PART_DEFERRED, .user = t->record, .nr_user = 4,
	};
}

static enum leaf_result walk(struct leaf_test *t)
{
	enum leaf_result result;

	bench__open(&t->b, "x86_64", "table");
	t->chain = (struct unwind_chain){ .ips = t->ips, .methods = t->methods, .max = 16 };
	result = leaf__walk(t->b.u, t->b.space, &t->ws, &t->chain);
	bench__close(&t->b);
	return result;
}

static void expect_joined(struct leaf_test *t)
{
	const u64 want[] = { AT(0, 0x10), AT(1, 0x20), AT(2, 0x20), AT(3, 0x20), OUTER };

	TEST_EQ(walk(t), LEAF_JOINED);
	TEST_EQ(t->ws.nr_user, ARRAY_SIZE(want));
	TEST_EQ(memcmp(t->ws.user, want, sizeof(want)), 0);
	TEST_EQ(t->ws.nr_restored, 1);
}

TEST(leaf_joined, "leaf: the caller that frame pointers leave out is put back")
{
	struct leaf_test t;

	begin(&t);
	expect_joined(&t);

	/* The copy ends in front of what the kernel read: the record says what is there. */
	begin(&t);
	t.s.stack_size = t.s.stack_room = FP_1 * sizeof(u64);
	expect_joined(&t);
}

TEST(leaf_agrees, "leaf: nothing is added where nothing is left out")
{
	struct leaf_test t;

	/* In 1 itself. */
	begin(&t);
	t.regs[2] = t.record[0] = AT(1, 0x20);
	TEST_EQ(walk(&t), LEAF_AGREES);
	TEST_EQ(t.ws.nr_user, 4);
	TEST_EQ(t.ws.nr_restored, 0);
}

TEST(leaf_unproven, "leaf: what the copy and the record do not say both is not joined")
{
	struct leaf_test t;

	/* Of another moment: a signal was delivered in between. */
	begin(&t);
	t.record[0] = AT(0, 0x14);
	TEST_EQ(walk(&t), LEAF_UNUSED);

	/* The kernel read another word there. */
	begin(&t);
	t.record[1] = AT(2, 0x40);
	TEST_EQ(walk(&t), LEAF_UNUSED);

	/* In front of the caller's address is no call. */
	begin(&t);
	t.b.elf.code[AT(1, 0x20) - TEXT - 5] = 0;
	TEST_EQ(walk(&t), LEAF_UNUSED);
	TEST_TRUE(t.ws.user == t.record && t.ws.nr_user == 4);

	/* The copy has not even the first caller. */
	begin(&t);
	t.s.stack_size = t.s.stack_room = sizeof(u64);
	TEST_EQ(walk(&t), LEAF_UNUSED);
}

TEST(leaf_alone, "leaf: where there is no chain, or none of this stack, the copy has the top")
{
	struct leaf_test t;

	begin(&t);
	t.ws.user_part = USER_PART_MISSING;
	t.ws.nr_user = 0;
	TEST_EQ(walk(&t), LEAF_UNWOUND);
	TEST_EQ(t.chain.stop, UNWIND_COPY_SHORT);
	TEST_EQ(t.chain.nr, 4);

	/* 0 uses the register for something else: the kernel has found nobody, */
	begin(&t);
	t.b.elf.frame_len = 0;
	elf_build__init(&t.b.elf, t.b.elf.machine, false, 16, (u8[]){ 0x0c, 7, 8, 0x90, 1 }, 5);
	FUNCTION(&t.b, 0, 0x0e, 16, 0x86, 2); /* rbp at CFA - 16 */
	for (int i = 1; i < 4; i++) {
		FUNCTION(&t.b, i, 0x0c, 6, 16, 0x86, 2);
		add_call(&t.b, AT(i, 0x20));
	}
	t.b.stack[0] = word_at(FP_1);
	t.regs[0] = 1;
	t.ws.nr_user = 1;
	TEST_EQ(walk(&t), LEAF_UNWOUND);
	TEST_EQ(t.chain.stop, UNWIND_COPY_SHORT);
	TEST_EQ(t.chain.nr, 4);
	TEST_EQ(t.ips[1], AT(1, 0x20));

	/* or something that is not this stack. */
	t.regs[0] = word_at(6);
	t.record[1] = 77;
	t.b.stack[7] = 77;
	t.ws.nr_user = 2;
	TEST_EQ(walk(&t), LEAF_UNWOUND);
	TEST_EQ(t.chain.nr, 4);

	/* It was overwritten since. */
	t.b.stack[7] = 78;
	TEST_EQ(walk(&t), LEAF_UNWOUND);
	TEST_EQ(t.chain.nr, 4);

	/* But not when the record may be of another moment. */
	t.record[0] = AT(0, 0x14);
	TEST_EQ(walk(&t), LEAF_UNUSED);
}
