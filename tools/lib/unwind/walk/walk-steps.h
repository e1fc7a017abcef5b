/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The steps of a walk, and what they are made of. Internal to this room.
 *
 * walk.c chooses the step; walk-step.c, walk-guess.c, walk-leaf.c and walk-away.c make it, and end
 * with walk__arrive(). walk-root.c knows when there is no more to make; walk-map.c, walk-code.c,
 * walk-call.c and walk-regs.c find what they ask for: code, calls, registers.
 */
#ifndef PERF_UNWIND_WALK_WALK_STEPS_H
#define PERF_UNWIND_WALK_WALK_STEPS_H

#include "walk.h"

/* walk__rule() of @vaddr, when only what is prepared may be used. Returns: the same. */
const struct row_rule *walk__prepared_rule(struct walk *w, const struct walk_map *m, u64 vaddr);

/*
 * Looks up the rule at @vaddr of @m, which has a table. Returns: NULL when its page is not
 * prepared, and nothing else may be used: the walk has ended.
 */
static inline const struct row_rule *walk__rule(struct walk *w, const struct walk_map *m, u64 vaddr)
{
	if (unlikely(w->prepared))
		return walk__prepared_rule(w, m, vaddr);
	return rows__find(m->rows, vaddr);
}

/*
 * Reads @size bytes at @addr of stack memory that is not in the copy, in the order of the
 * architecture, into @to. Returns: false when they cannot be read.
 */
bool walk__read_bytes(const struct walk *w, u64 addr, void *to, size_t size);

/* The same of a word, *@v, in the order of this machine. Returns: the same. @addr: of the word */
__attribute__((cold)) bool walk__read_other(const struct walk *w, u64 addr, u64 *v);

/* Reads the word at @addr of stack memory into *@v. Returns: false when it cannot be read. */
static inline bool walk__read(const struct walk *w, u64 addr, u64 *v)
{
	u64 off = addr - w->stack_start;

	if (unlikely(off >= w->stack_words))
		return walk__read_other(w, addr, v);
	__builtin_memcpy(v, w->stack + off, sizeof(*v));
	if (w->swap)
		*v = __builtin_bswap64(*v);
	return true;
}

_Static_assert(UNWIND_BY_EH_FRAME + ROW_TRAMPOLINE == UNWIND_BY_TRAMPOLINE,
	       "methods are in the order of sources");

/* Returns: the method of a frame that was found by @rule. */
static inline enum unwind_method method_of_rule(const struct row_rule *rule)
{
	return UNWIND_BY_EH_FRAME + row_rule__source(rule);
}

/* Ends the walk. @why: what it says. Returns: false, for the callers' convenience. */
static inline bool walk__stop(struct walk *w, enum unwind_stop why)
{
	w->chain->stop = why;
	return false;
}

/*
 * Returns: why the word at @addr cannot be read, of a step from w->sp. SP is below the copy, or a
 * signal's handler has interrupted code whose SP is not in it: that is on another stack.
 */
static inline enum unwind_stop walk__unread(struct walk *w, u64 addr)
{
	bool below = w->sp < w->stack_start;
	bool outside = below || w->sp - w->stack_start > w->stack_size;

	w->chain->missing = addr;
	if (below || (outside && w->exact))
		return UNWIND_OTHER_STACK;
	return addr < w->stack_start ? UNWIND_NO_PROGRESS : UNWIND_COPY_SHORT;
}

/* Ends the walk since the word at @addr could not be read. Returns: false. */
static inline bool walk__stop_at(struct walk *w, u64 addr)
{
	return walk__stop(w, walk__unread(w, addr));
}

/*
 * The steps that are not the usual one: by a rule; by evaluating call frame information; by the
 * registers that the kernel has saved for a signal handler. Return true: pc, sp, fp and exact are
 * the caller's, and it is in the chain; false: chain->stop says why not.
 */
bool walk__by_rule(struct walk *w, const struct row_rule *rule);
bool walk__by_cfi(struct walk *w, struct walk_map *m);
bool walk__by_sigframe(struct walk *w, const struct unwind_sigframe *f);

/*
 * The step where there are no rows: by the instructions, or else the frame pointer (walk-guess.c).
 * @why: what chain->stop says when that does not help, either
 * Returns: the same.
 */
bool walk__by_guess(struct walk *w, const struct walk_map *m, enum unwind_stop why);

/*
 * The step where the row of @m needs the frame pointer, which is not known: by the instructions
 * from the function's first one on, if these say how far SP is from the CFA. Returns: the same.
 */
bool walk__without_fp(struct walk *w, const struct walk_map *m);

/*
 * Looks for a return address whose slot is below SP already: it may be in its register again.
 * @slot: the address of the slot
 * @ra: out
 * Returns: false when it is not.
 */
bool walk__popped_ra(struct walk *w, u64 slot, u64 *ra);

/*
 * Ends each step: the caller is the present frame.
 * @pc: its address; 0: there is none
 * @sp: its stack pointer
 * @exact: it was interrupted at @pc, and made no call
 * @method: how it was found
 * Returns: as the steps.
 */
bool walk__arrive(struct walk *w, u64 pc, u64 sp, bool exact, enum unwind_method method);

/* From here on only pc, SP and FP are known. */
void walk__forget_regs(struct walk *w);

/*
 * Looks for what a signal handler returns to: at @addr; at the pc, or where the pc has just come
 * from; and on the stack. Return NULL when it is not that.
 */
const struct unwind_sigframe *map__sigframe(const struct walk *w, const struct walk_map *m,
					    u64 addr);
const struct unwind_sigframe *walk__sigframe(const struct walk *w, const struct walk_map *m);
const struct unwind_sigframe *walk__sigframe_on_stack(const struct walk *w);

/*
 * Asks whether the present frame has no caller, where no row says so. It was at the first
 * instruction of a program, or it is where the first function of a stack returns to, or nothing
 * lies between it and what the kernel has put on the stack of a new program. (walk-root.c)
 * @has_rows: there is a row, which says something else
 * Returns: true when that is certain.
 */
bool walk__is_root(struct walk *w, const struct walk_map *m, bool has_rows);

/*
 * Asks whether a frame that has 0 in place of its return address has no caller. A program can put 0
 * there at any time, so something else has to say so, too: the function never returns, or its frame
 * is the first one of a stack that has been made for it; and no caller's address is near.
 * @cfa: where the frame ends
 * Returns: true when that is certain.
 */
bool walk__zero_is_root(struct walk *w, u64 cfa);

/*
 * Finds the function of @m that has @vaddr: its first address, *@start, and the one behind it,
 * *@end, by call frame information or symbols. Returns: false when there is none, or w->needs_open.
 */
bool walk__function(struct walk *w, const struct walk_map *m, u64 vaddr, u64 *start, u64 *end);

/* The same by symbols alone: *@start and *@end of the one that has @vaddr. Returns: the same. */
bool walk__symbol(struct walk *w, const struct walk_map *m, u64 vaddr, u64 *start, u64 *end);

/* Returns: what follows the code of @m; NULL: it is not prepared, or out of memory. */
struct code_paths *walk__code_paths(struct walk *w, const struct walk_map *m);

/* Returns: whether argc is where the return address should be, as the kernel has put it there. */
bool walk__called_by_kernel(struct walk *w);

/* The code around an address; what is not there reads as zeros. */
struct walk_code {
	u8 bytes[2 * UNWIND_CODE];
};

/* Copies the code around @addr to @code. Returns: where @addr is in that. */
const u8 *walk_map__code(const struct walk_map *m, u64 addr, struct walk_code *code);

/*
 * Finds the *@target of the direct call before @ra. Returns: the mapping of that call; NULL: there
 * is none.
 */
struct walk_map *walk__call_target(struct walk *w, u64 ra, u64 *target);

/* A step by a rule of ROW_CFA_AWAY. Returns: whether the walk goes on. */
bool walk__away(struct walk *w, const struct row_rule *rule);

/*
 * Finds the return address of the interrupted frame, *@ra, and its caller's *@sp, by the
 * instructions there. Returns: false when they do not tell.
 */
bool walk__leaf(struct walk *w, const struct walk_map *m, u64 *ra, u64 *sp);

/* The same, *@ra and *@sp, of any frame, by its function's prologue. Returns: the same. */
bool walk__prologue(struct walk *w, const struct walk_map *m, u64 *ra, u64 *sp);

/*
 * Reads a register of the present frame.
 * @reg: its DWARF number
 * @v: out
 * Returns: false when it is not known.
 */
bool walk__reg(struct walk *w, u32 reg, u64 *v);

/* Brings all registers of the present frame into w->all, as far as they can be known. */
void walk__all_regs(struct walk *w);

/*
 * Evaluates the call frame information of @m: w->all becomes the caller's registers.
 * @look: the address that is looked up
 * @exact: the frame was interrupted there, and made no call
 * @frame: out: what else was found
 * Returns: EVAL_CALLER, or why not.
 */
enum eval_result walk__eval(struct walk *w, const struct walk_map *m, u64 look, bool exact,
			    struct eval_frame *frame);

#endif
