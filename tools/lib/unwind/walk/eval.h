/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The slow way: one step of a frame to its caller by call frame information itself, with all the
 * registers that are known. For what no row can say, and for rows that need a register which
 * only the frames before have saved.
 */
#ifndef PERF_UNWIND_WALK_EVAL_H
#define PERF_UNWIND_WALK_EVAL_H

#include "table.h"
#include "../core/chain.h"

/* Registers of a frame, by DWARF numbers. */
struct eval_regs {
	u64 known; /* bitmap */
	u64 v[CFI_REGS];
	u64 pc;
};

struct eval_memory {
	bool (*read)(void *ctx, u64 addr, u32 size, u64 *v); /* size 1, 2, 4 or 8 */
	void *ctx;
	u32 *steps; /* instructions that may still be executed for it; NULL: without limit */
};

enum eval_result {
	EVAL_CALLER,      /* @regs are those of the caller now */
	EVAL_OUTERMOST,
	EVAL_NO_ROW,      /* nothing is known at this address */
	EVAL_BAD,         /* an expression that makes no sense or does not end */
	EVAL_UNREADABLE,  /* memory that could not be read: see *fault */
	EVAL_UNKNOWN_REG,
	EVAL_NO_MEMORY,   /* to keep rows that the program remembers, or it was not prepared */
};

struct eval_frame {
	u64 vaddr;        /* where to look: pc or pc - 1, without @bias */
	u64 bias;
	bool interrupted; /* in: the frame made no call, all registers are as the CPU had them */
	bool signal;      /* out: the frame is a signal trampoline */
	u64 cfa, fault;   /* out */
};

/*
 * One step from a frame to its caller.
 * @t: the caller holds its lock
 * @mem: reads stack memory
 * @frame: in: where the frame is; out: what else is found
 * @regs: in: those of the frame; out: those of its caller, when that was found
 * Returns: EVAL_CALLER, or why not.
 */
enum eval_result eval__step(struct table *t, const struct unwind_arch_info *arch,
			    const struct eval_memory *mem, struct eval_frame *frame,
			    struct eval_regs *regs);

/* The same without a lock or an allocation, of a table that was prepared. Returns: the same. */
enum eval_result eval__step_prepared(const struct table *t, const struct unwind_arch_info *arch,
				     const struct eval_memory *mem, struct eval_frame *frame,
				     struct eval_regs *regs);

/*
 * Evaluates one expression.
 * @bias: is added to addresses in it (DW_OP_addr)
 * @initial: is on its stack first; NULL: nothing
 * @fault: out: the address that could not be read, of EVAL_UNREADABLE
 * @v: out: the result
 * Returns: EVAL_CALLER, or why there is none.
 */
enum eval_result eval__expr(const struct eval_memory *mem, const struct eval_regs *regs,
			    struct cursor expr, u64 bias, const u64 *initial, u64 *fault, u64 *v);

#endif
