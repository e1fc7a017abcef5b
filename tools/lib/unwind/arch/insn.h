/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * One machine instruction, as far as a walk needs to know it: how long it is, where the code goes
 * on behind it, and what it does to the stack and frame pointers. Of an architecture's decode().
 */
#ifndef PERF_UNWIND_ARCH_INSN_H
#define PERF_UNWIND_ARCH_INSN_H

#include "../core/types.h"

enum insn_kind {
	INSN_UNKNOWN, /* is not decoded; the rest is 0 */
	INSN_PLAIN,   /* goes on behind it */
	INSN_CALL,    /* does, too, once the function that it calls has returned */
	INSN_JUMP,    /* goes on at .target */
	INSN_BRANCH,  /* goes on behind it, or at .target */
	INSN_LEAVE,   /* goes on where a register or a word in memory says */
	INSN_RETURN,
	INSN_END,     /* does not go on: a trap */
};

enum insn_sp {
	SP_KEPT,
	SP_MOVED,     /* by .move bytes */
	SP_FROM_FP,   /* is FP + .move */
	SP_LOST,      /* is something else */
};

enum insn_fp {
	FP_KEPT,
	FP_PUSHED,    /* and was saved where SP points behind the instruction */
	FP_FROM_SP,   /* is the SP of before it + .fp_move */
	FP_POPPED,
	FP_LOST,      /* is something else */
};

struct insn {
	u8 len;
	u8 kind, sp, fp; /* enum insn_kind, insn_sp, insn_fp */
	bool direct;     /* .target is known: of a jump, a branch, or a call */
	u8 pushes, pops; /* a register whole, by its number + 1; 0: none, or not in this way */
	u16 writes;      /* a bit for each general register that may have another value behind it */
	s32 move, fp_move;
	s64 target;      /* from the instruction's first byte */
};

#endif
