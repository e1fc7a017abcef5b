/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The walk over a stack copy by row tables. Private to this room; see unwind.h for its meaning.
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
	bool skips; /* a caller before it is not in the chain, for certain */
	struct code_budget code; /* for code without rows */
	u32 eval_steps; /* instructions of CFI and expressions that may still be executed */

	struct eval_regs all; /* of frame all_at; all_exact: as .exact */
	u32 all_at;
	bool all_there, all_exact;
};

void walk__run(struct walk *w);

/* The mapping that holds @addr, opened; NULL: there is none, or w->needs_open. */
struct walk_map *walk__map(struct walk *w, u64 addr);

/* The same when mappings are prepared: opens it. False: out of memory. */
bool walk_map__open(struct unwind_space *s, struct walk_map *m);

const struct row_rule *walk__prepared_rule(struct walk *w, const struct walk_map *m, u64 vaddr);

/*
 * The rule at @vaddr of @m, which has a table. NULL: its page was not prepared, and nothing else
 * may be used; the walk has ended.
 */
static inline const struct row_rule *walk__rule(struct walk *w, const struct walk_map *m, u64 vaddr)
{
	if (unlikely(w->prepared))
		return walk__prepared_rule(w, m, vaddr);
	return rows__find(m->rows, vaddr);
}

/* Bytes of stack memory that are not in the copy, as they are there. False: unreadable. */
bool walk__read_bytes(const struct walk *w, u64 addr, void *to, size_t size);

/* A word of it. */
__attribute__((cold)) bool walk__read_other(const struct walk *w, u64 addr, u64 *v);

/* A word of stack memory. */
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

static inline enum unwind_method method_of_rule(const struct row_rule *rule)
{
	return UNWIND_BY_EH_FRAME + row_rule__source(rule);
}

/* Ends the walk; false for the callers' convenience. */
static inline bool walk__stop(struct walk *w, enum unwind_stop why)
{
	w->chain->stop = why;
	return false;
}

/* Why a word could not be read. Behind a signal frame SP may be on a stack below that one. */
static inline bool walk__stop_at(struct walk *w, u64 addr)
{
	bool below = addr < w->stack_start && w->sp >= w->stack_start;

	return walk__stop(w, below ? UNWIND_NO_PROGRESS : UNWIND_COPY_SHORT);
}

/*
 * The steps that are not the usual one. On true pc, sp, fp and exact are the caller's, and it is
 * in the chain; else chain->stop says why not.
 */
bool walk__by_rule(struct walk *w, const struct row_rule *rule);
bool walk__by_cfi(struct walk *w, struct walk_map *m);
/* The return address whose slot is below SP already: it may be in its register again. */
bool walk__popped_ra(struct walk *w, u64 slot, u64 *ra);
/* There are no rows: @why. By the instructions, or else the frame pointer. (walk-guess.c) */
bool walk__by_guess(struct walk *w, const struct walk_map *m, enum unwind_stop why);
/* What all steps end with: the caller is the present frame. */
bool walk__arrive(struct walk *w, u64 pc, u64 sp, bool exact, enum unwind_method method);
/* From here on only pc, SP and FP are known. */
void walk__forget_regs(struct walk *w);
const struct unwind_sigframe *map__sigframe(const struct walk *w, const struct walk_map *m,
					    u64 addr);
const struct unwind_sigframe *walk__sigframe(const struct walk *w, const struct walk_map *m);
const struct unwind_sigframe *walk__sigframe_on_stack(const struct walk *w);
bool walk__by_sigframe(struct walk *w, const struct unwind_sigframe *f);

/*
 * Does the present frame have no caller, where no row says so? It was at the first instruction of a
 * program, or it is where the first function of a stack returns to, or nothing lies between it and
 * what the kernel has put on the stack of a new program. (walk-root.c)
 */
bool walk__is_root(struct walk *w, const struct walk_map *m, bool has_rows);
/* Where the return address should be there is what the kernel has put there: argc. */
bool walk__called_by_kernel(struct walk *w);

/* The code around an address, to which this points; what is not there reads as zeros. */
struct walk_code {
	u8 bytes[2 * UNWIND_CODE];
};
const u8 *walk_map__code(const struct walk_map *m, u64 addr, struct walk_code *code);

/*
 * Is @ra in known code behind a call instruction, or where a signal handler returns to? What cannot
 * be looked at may be.
 */
bool walk__follows_call(struct walk *w, u64 ra);

/* The target of the direct call before @ra, and the mapping of that call. NULL: there is none. */
struct walk_map *walk__call_target(struct walk *w, u64 ra, u64 *target);

/*
 * The return address of the interrupted frame and its caller's SP, as far as the instructions tell
 * of them.
 */
bool walk__leaf(struct walk *w, const struct walk_map *m, u64 *ra, u64 *sp);

/* The same of any frame, by its function's prologue. */
bool walk__prologue(struct walk *w, const struct walk_map *m, u64 *ra, u64 *sp);

/* A register of the present frame, by its DWARF number. False: it is not known. */
bool walk__reg(struct walk *w, u32 reg, u64 *v);

/* All registers of the present frame in w->all, as far as they can be known. */
void walk__all_regs(struct walk *w);

/* Evaluates the call frame information of @m at @look: w->all becomes the caller's registers. */
enum eval_result walk__eval(struct walk *w, const struct walk_map *m, u64 look, bool exact,
			    struct eval_frame *frame);

#endif
