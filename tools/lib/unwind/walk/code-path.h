/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Following code that has no rows, to learn where a frame's return address is: from its function's
 * first instruction to where it was, or from there to where the function returns.
 *
 * All branches are followed, jumps into other functions as well (tail calls), and calls are taken
 * to return. So PATH_NONE is a proof: a call of that function does not lead to the instruction
 * without another call. Where code goes on at an address in a register or in memory (switches,
 * PLTs), is not known, or is too long, the answer is PATH_UNKNOWN.
 *
 * Answers are remembered. Several threads may ask.
 */
#ifndef PERF_UNWIND_WALK_CODE_PATH_H
#define PERF_UNWIND_WALK_CODE_PATH_H

#include "../core/budget.h"
#include "../elf/elf-image.h"
#include "../arch/arch.h"

/*
 * What one stack may cost: a binary can be made such that each of its stacks needs long ways that
 * nobody has asked for before. Counted are instructions that are decoded, questions, and words of
 * the stack that are looked at. Each stack has a little of its own, and more of what all have; so
 * who records for days is not worse off than others, as long as most stacks take little.
 */
struct code_budget {
	struct budget *all; /* of all stacks; NULL: without limit */
	u32 left;           /* CODE_OF_ITS_OWN at first */
	u32 taken;          /* of .all */
	bool spent;         /* there was not enough: what is known of the stack is not all */
	bool prepared;      /* nothing may be allocated: long ways are not followed */
};

#define CODE_OF_ITS_OWN 1024
#define CODE_OF_A_STACK (1U << 17) /* some 3 ms */
#define CODE_OF_ALL (1ULL << 28)   /* some 6 s */

/* Takes more of what all stacks have together, once for each stack. */
static inline void code_budget__extend(struct code_budget *b)
{
	if (b->taken || !budget__take(b->all, CODE_OF_A_STACK))
		return;
	b->taken = CODE_OF_A_STACK;
	b->left += CODE_OF_A_STACK;
}

/* Takes one of what is counted. Returns: false when there is nothing left. */
static inline bool code_budget__take(struct code_budget *b)
{
	if (unlikely(!b->left))
		code_budget__extend(b);
	if (b->left)
		b->left--;
	else
		b->spent = true;
	return !b->spent;
}

/* At the end of the stack: what was not needed is for others, up to what all had at first. */
static inline void code_budget__end(struct code_budget *b)
{
	if (unlikely(b->left != CODE_OF_ITS_OWN) && b->all &&
	    __atomic_load_n(&b->all->left, __ATOMIC_RELAXED) < CODE_OF_ALL)
		budget__give_back(b->all, b->left);
}

enum path_result {
	PATH_UNKNOWN,
	PATH_FOUND,
	PATH_NONE,
};

/* The CFA, the address behind the return address, is at SP + .sp and at FP + .fp of the frame. */
struct code_path {
	enum path_result result;
	bool sp_known, fp_known;
	u32 sp, fp;
	bool fp_lost;            /* the caller's FP is nowhere; else: */
	u32 saved_fp;            /* it is at the CFA - saved_fp; 0: in its register */
};

struct code_paths;

/* For the code of @img, which must live longer. Returns: NULL when out of memory. */
struct code_paths *code_paths__new(const struct elf_image *img,
				   const struct unwind_arch_info *arch);

/* NULL is fine. */
void code_paths__free(struct code_paths *p);

/*
 * Follows the code from a function's first instruction to before another one.
 * @start: the vaddr of the first one
 * @pc: that of the other one; 0: PATH_NONE says that all paths end
 * Returns: what was found; PATH_UNKNOWN when @b is spent, which is not remembered.
 */
struct code_path code_paths__from_start(struct code_paths *p, u64 start, u64 pc,
					struct code_budget *b);

/*
 * Is SP always moved by a distance that is known, or to one from FP, by the instructions from
 * @start to before @end? All of them count, whether a path leads there or not, but for one behind
 * which there is a jump to another program. Returns: false also when that is too much code, or
 * none, or @b is spent.
 */
bool code_paths__keeps_sp(struct code_paths *p, u64 start, u64 end, struct code_budget *b);

/*
 * Does none of the instructions from @start to before @end return, or jump to elsewhere? Returns:
 * as code_paths__keeps_sp().
 */
bool code_paths__never_return(struct code_paths *p, u64 start, u64 end, struct code_budget *b);

/*
 * Follows the code from @pc to where its function returns. Returns: what was found; then one of
 * .sp_known and .fp_known is true.
 */
struct code_path code_paths__to_return(struct code_paths *p, u64 pc, struct code_budget *b);

#endif
