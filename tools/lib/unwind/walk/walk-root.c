// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Is a frame the outermost one? Where no row says so, something else has to prove it. */
#include "walk-steps.h"

/*
 * What the kernel has put on a program's stack begins within so many words above the frame of its
 * first function.
 */
#define FIRST_FRAME_WORDS 64
#define MAX_ARGS (1U << 20)
#define AT_NULL 0
#define AT_PAGESZ 6
#define MAX_AT 256
/* A stack that was made for a function has a page's end so few bytes above its frame, or fewer. */
#define STACK_TOP_BYTES 128
#define STACK_PAGE 4096

/*
 * What lies on the stack itself is data, also where the stack may be executed: what compilers put
 * there jumps and makes no calls.
 */
static bool word__is_return_address(struct walk *w, u64 v)
{
	const struct unwind_mapping *m;

	if (v <= MAX_ARGS || !code_budget__take(&w->code))
		return false;
	m = unwind_space__find(w->s, v - 1);
	return !(m && m->module == UNWIND_NO_FILE && w->sp - m->start < m->end - m->start) &&
	       walk__follows_call(w, v);
}

/*
 * What the kernel gives to a new program: argc, argv[], NULL, envp[], NULL, and the auxiliary
 * vector, in which it tells the size of a page. (System V ABI, "Initial Stack and Register State")
 * Programs put other pointers into argv and envp, and NULL into argv. Any small number can stand as
 * far in front of the NULL behind argv as if it were argc; then there are frames in between.
 */
static bool is_initial_stack(struct walk *w, u64 at)
{
	u64 argc, type, v = 1;

	if (!walk__read(w, at, &argc) || !argc || argc > MAX_ARGS)
		return false;
	for (u64 i = 0; i < argc; i++)
		if (!walk__read(w, at += 8, &v) || word__is_return_address(w, v))
			return false;
	if (!walk__read(w, at += 8, &v) || v)
		return false;
	do
		if (!walk__read(w, at += 8, &v) || word__is_return_address(w, v))
			return false;
	while (v);
	for (at += 8; walk__read(w, at, &type) && type != AT_NULL && type < MAX_AT; at += 16)
		if (type == AT_PAGESZ)
			return walk__read(w, at + 8, &v) && v >= 4096 && !(v & (v - 1));
	return false;
}

/* Nothing lies between @at and the initial stack that could lead to a caller. */
static bool walk__ends_at_initial_stack(struct walk *w, u64 at)
{
	u64 v;

	for (u64 i = 0; i < FIRST_FRAME_WORDS; i++, at += 8) {
		if (!walk__read(w, at, &v))
			return false;
		if (v <= MAX_ARGS && is_initial_stack(w, at))
			return true;
		if (word__is_return_address(w, v))
			return false;
	}
	return false;
}

bool walk__is_root(struct walk *w, const struct walk_map *m, bool has_rows)
{
	struct walk_code code;
	const u8 *at;

	/* Many libraries have an entry, too: the first function of their code, which is called. */
	if (w->exact && w->pc == m->um->m->image.ehdr.e_entry + m->bias &&
	    is_initial_stack(w, w->sp) && !w->code.spent)
		return true;
	if (w->exact && w->arch->ra_in_reg)
		return false;
	at = walk_map__code(m, w->pc, &code);
	if (!w->exact && w->arch->is_root(at))
		return true;
	if (has_rows)
		return false;
	/* By the ABIs the FP of the first function's caller is 0: of that which ends the thread. */
	if (!w->exact && w->fp_known && !w->fp && w->arch->exits_thread(at))
		return true;
	return walk__ends_at_initial_stack(w, w->sp) && !w->code.spent;
}

/* Can no instruction of the present function return, or lead out of it, as far as is known? */
static bool walk__never_returns(struct walk *w)
{
	u64 look = w->exact ? w->pc : w->pc - 1;
	struct walk_map *m = walk__map(w, look);
	struct code_paths *p;
	u64 start, end;

	if (!w->arch->decode)
		return true;
	if (!m || !m->table || !walk__function(w, m, look - m->bias, &start, &end))
		return false;
	p = walk__code_paths(w, m);
	return p && code_paths__never_return(p, start, end, &w->code);
}

/* Among @nr words from @at on, as far as there is memory. */
static bool walk__sees_caller(struct walk *w, u64 at, u64 nr)
{
	u64 v;

	for (u64 i = 0; i < nr && walk__read(w, at + 8 * i, &v); i++)
		if (word__is_return_address(w, v))
			return true;
	return false;
}

/*
 * Is the present address the first one of a function, and behind no call? In a new process clone()
 * has the row of its caller, and the address of a function to call where that had its own.
 */
static bool walk__was_not_called(struct walk *w)
{
	struct walk_map *m = w->exact ? NULL : walk__map(w, w->pc);
	u64 start, end;

	return m && m->table &&
	       table__start(m->table, w->pc - m->bias, w->prepared, &start, &end) &&
	       start + m->bias == w->pc && !walk__follows_call(w, w->pc);
}

bool walk__zero_is_root(struct walk *w, u64 cfa)
{
	u64 left = -cfa & (STACK_PAGE - 1);
	bool root;

	if (walk__was_not_called(w))
		root = false;
	else if (walk__ends_at_initial_stack(w, cfa))
		root = true;
	else if (walk__never_returns(w))
		root = !walk__sees_caller(w, cfa, FIRST_FRAME_WORDS);
	else
		root = left <= STACK_TOP_BYTES &&
		       !walk__sees_caller(w, cfa, (left + STACK_PAGE) / 8);
	return root && !w->code.spent && !w->needs_open;
}

bool walk__called_by_kernel(struct walk *w)
{
	return !w->arch->ra_in_reg && is_initial_stack(w, w->sp - 8) && !w->code.spent;
}

bool walk__arrive(struct walk *w, u64 pc, u64 sp, bool exact, enum unwind_method method)
{
	bool root = !pc && !exact && walk__zero_is_root(w, sp + w->arch->cfa_above_sp);

	w->pc = pc;
	w->sp = sp;
	w->exact = exact;
	if (!pc)
		return walk__stop(w, root ? UNWIND_OUTERMOST : UNWIND_BAD_RA);
	return unwind_chain__add(w->chain, pc, method);
}
