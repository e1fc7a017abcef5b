// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Is a frame the outermost one? Where no row says so, something else has to prove it. */
#include "walk.h"

/*
 * What the kernel has put on a program's stack begins within so many words above the frame of its
 * first function.
 */
#define FIRST_FRAME_WORDS 64
#define MAX_ARGS (1U << 20)
#define AT_NULL 0
#define AT_PAGESZ 6
#define MAX_AT 256

static bool word__is_return_address(struct walk *w, u64 v)
{
	return v > MAX_ARGS && code_budget__take(&w->code) && walk__follows_call(w, v);
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

/* Nothing lies between the frame and the initial stack that could lead to a caller. */
static bool walk__ends_at_initial_stack(struct walk *w)
{
	u64 v;

	for (u64 i = 0, at = w->sp; i < FIRST_FRAME_WORDS; i++, at += 8) {
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

	if (w->exact && w->pc == m->um->m->image.ehdr.e_entry + m->bias)
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
	return walk__ends_at_initial_stack(w) && !w->code.spent;
}

bool walk__called_by_kernel(struct walk *w)
{
	return !w->arch->ra_in_reg && is_initial_stack(w, w->sp - 8) && !w->code.spent;
}
