// SPDX-License-Identifier: GPL-2.0-only
/*
 * Expressions of call frame information. The first byte of an input says what is on the stack
 * before: bit 0, something at all; bit 1: registers are known. The rest is the expression.
 */
#include "../../../lib/unwind/walk/eval.h"
#include "input.h"

#define HOLES 0x10 /* addresses with this bit cannot be read */

static bool read_memory(void *ctx, u64 addr, u32 size, u64 *v)
{
	u64 *nr_reads = ctx;

	FUZZ_TRUE(size == 1 || size == 2 || size == 4 || size == 8);
	++*nr_reads;
	*v = addr * 0x9e3779b97f4a7c15 >> (64 - 8 * size);
	return !(addr & HOLES);
}

FUZZ_TARGET(expression, "DWARF expressions")
{
	struct eval_regs regs = {};
	u64 nr_reads = 0, fault[2] = {}, v[2] = {}, initial = 0x7ffc00000000;
	const struct eval_memory mem = { .read = read_memory, .ctx = &nr_reads };
	enum eval_result result[2];

	if (!size)
		return;
	regs.known = data[0] & 2 ? ~0ULL : 0;
	for (u32 i = 0; i < CFI_REGS; i++)
		regs.v[i] = initial + 8 * i;
	for (int i = 0; i < 2; i++)
		result[i] = eval__expr(&mem, &regs, cursor__init(data + 1, size - 1, false),
				       0x550000000000, data[0] & 1 ? &initial : NULL, &fault[i],
				       &v[i]);
	FUZZ_TRUE(result[0] == result[1] && v[0] == v[1] && fault[0] == fault[1]);
	FUZZ_TRUE(result[0] != EVAL_OUTERMOST && result[0] != EVAL_NO_ROW);
	FUZZ_TRUE(nr_reads <= 4000);
}
