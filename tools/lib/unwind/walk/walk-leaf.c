// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The caller of an interrupted function without rows, by its instructions: where they are such that
 * the return address is still where the call has put it. The frame pointer is no help there, as it
 * is the caller's.
 */
#include "walk-steps.h"

/* A longer function is left to its frame pointer. */
#define LEAF_BYTES 4096
/* So far behind its prologue a function is looked at. */
#define PROLOGUE_BYTES 1024

/* Does the code from @start to @end belong to one leaf function, as far as one can see? */
static bool is_one_leaf(const struct walk *w, const struct walk_map *m, u64 start, u64 end)
{
	u64 len = end - start;
	struct bytes code;

	if (len >= LEAF_BYTES)
		return false;
	code = elf_image__bytes_at(&m->um->m->image, start - m->bias);
	if (code.len < len + UNWIND_CODE)
		return false;
	for (u64 i = 0; i < len; i += w->arch->insn_align)
		if (w->arch->ends_leaf(code.data + i))
			return false;
	return true;
}

/*
 * Is the instruction before @ra a direct call of the function that was interrupted? It may be one
 * by that function itself, which has returned: then nothing is known.
 */
static bool was_called_before(struct walk *w, const struct walk_map *m, u64 ra)
{
	struct walk_map *caller = walk__map(w, ra - 1);
	struct walk_code code;
	s64 distance;

	return caller && caller->table &&
	       w->arch->call_distance(walk_map__code(caller, ra, &code), &distance) &&
	       is_one_leaf(w, m, ra + distance, w->pc) &&
	       !is_one_leaf(w, m, ra + distance, ra);
}

static bool leaf__ra(struct walk *w, u64 at, u64 *ra)
{
	if (!w->arch->ra_in_reg)
		return walk__read(w, at, ra);
	if (!walk__reg(w, w->arch->dwarf_ra, ra))
		return false;
	*ra &= w->arch->address_mask;
	return true;
}

bool walk__leaf(struct walk *w, const struct walk_map *m, u64 *ra, u64 *sp)
{
	const struct unwind_arch_info *arch = w->arch;
	struct walk_code code;
	int pushed;
	u64 at;

	if (!w->exact || !m->table)
		return false;
	pushed = arch->pushed(walk_map__code(m, w->pc, &code));
	at = w->sp + max_of(pushed, 0);
	*sp = at + (arch->ra_in_reg ? 0 : 8);
	return leaf__ra(w, at, ra) && *ra &&
	       (pushed >= 0 ? walk__follows_call(w, *ra) : was_called_before(w, m, *ra));
}

bool walk__prologue(struct walk *w, const struct walk_map *m, u64 *ra, u64 *sp)
{
	const struct unwind_arch_info *arch = w->arch;
	u64 vaddr = w->pc - m->bias;
	struct bytes code = {};
	u32 len = PROLOGUE_BYTES;

	if (!arch->frame_size || !m->table)
		return false;
	for (; len >= UNWIND_CODE && !code.len; len /= 2)
		code = elf_image__bytes_at(&m->um->m->image, vaddr - len);
	len = code.len < 2 * len ? 0 : arch->frame_size(code.data, 2 * len);
	*sp = w->sp + len;
	return len && walk__read(w, *sp + arch->ra_slot, ra) && walk__follows_call(w, *ra);
}
