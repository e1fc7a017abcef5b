/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The walk over a stack copy by row tables: its state, and what others than its steps ask of it.
 * See unwind.h for its meaning, and walk-steps.h for the steps.
 *
 * The walk itself carries pc, SP and FP from frame to frame, which is what nearly every rule
 * needs. When one needs another register, all registers are brought up to that frame by
 * evaluating the frames in between once more, so that no frame pays for what is rarely asked.
 */
#ifndef PERF_UNWIND_WALK_WALK_H
#define PERF_UNWIND_WALK_WALK_H

#include "../space/backend.h"
#include "eval.h"

/* The code of one mapping. Its module is opened when the owner's walk first comes to it. */
struct walk_map {
	struct unwind_mapping at;
	u64 text, text_size;      /* the part that rows->spans[] has: address and size */
	struct rows_page **pages; /* of that part */
	struct rows *rows;
	u64 bias;
	struct table *table;      /* NULL: not readable */
	struct unwind_module *um; /* NULL: there is no file */
	bool no_file, no_memory;
	/*
	 * Set last: the rest from .text on is there, for good (WALK_MAP_OPENED), or to be tried
	 * again when the mappings have changed since this generation. 0: not yet.
	 */
	u64 opened;
};

#define WALK_MAP_OPENED UINT64_MAX

struct walk {
	struct unwind_space *s;
	const struct walk_map *map; /* that was used last, or one of nothing */
	bool may_open;              /* binaries; else, when one is needed: */
	bool needs_open;
	bool prepared;              /* only what unwind_space__prepare() has left may be used */
	const struct unwind_arch_info *arch;
	const struct unwind_regs *regs;
	const struct unwind_stack *memory;
	const u8 *stack;
	u64 stack_start, stack_words; /* words of 8 bytes begin at the first stack_words bytes */
	u64 stack_size;
	bool swap;
	struct unwind_chain *chain;

	/* The present frame. */
	u64 pc, sp, fp;
	bool fp_known;
	bool exact; /* the pc was running; else it is a return address */
	bool skips; /* a caller before it is not in the chain, for all that is known */
	bool skips_away; /* the same, which has called code that has left the stack */
	bool lowered; /* a caller's stack lies below; that happens once */
	u64 first_fp; /* the sample's frame pointer */
	/*
	 * Frames in front of the first one that was found by a frame pointer which nothing proves,
	 * and why it was: for want of what. 0: there is none.
	 */
	u32 guessed_at;
	enum unwind_stop guessed_for;
	struct code_budget code; /* for code without rows */
	u32 eval_steps; /* instructions of CFI and expressions that may still be executed */

	struct eval_regs all; /* of frame all_at; all_exact: as .exact */
	u32 all_at;
	bool all_there, all_exact;
};

/* Walks to the end: chain->stop says why it is that. */
void walk__run(struct walk *w);

/*
 * Finds the mapping that holds @addr, opened. Returns: NULL when there is none, or w->needs_open.
 */
struct walk_map *walk__map(struct walk *w, u64 addr);

/* Opens @m, if it is not open yet, before there is a walk. Returns: false when out of memory. */
bool walk_map__open(struct unwind_space *s, struct walk_map *m);

/*
 * Returns: whether @ra is in known code behind a call instruction, or where a signal handler
 * returns to. What cannot be looked at may be.
 */
bool walk__follows_call(struct walk *w, u64 ra);

/* Is, and returns what it does, unwind_space__left_out(). @between: as there */
bool walk__left_out(struct walk *w, const struct unwind_gap *gap, u64 *between);

#endif
