// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* What is known of the code of a mapping, for who looks into it. */
#include "walk-steps.h"

/* May code of @m be looked into? What was not prepared may not, and the walk is given up. */
static bool walk__may_follow(struct walk *w, const struct walk_map *m)
{
	bool may = !w->prepared || table__is_prepared(m->table);

	w->needs_open |= !may;
	return may;
}

/* Without it nothing is guessed, since it might prove the guess to be wrong. */
struct code_paths *walk__code_paths(struct walk *w, const struct walk_map *m)
{
	struct code_paths *p = walk__may_follow(w, m) ? table__code_paths(m->table) : NULL;

	w->code.spent |= !p;
	return p;
}

bool walk__symbol(struct walk *w, const struct walk_map *m, u64 vaddr, u64 *start, u64 *end)
{
	const struct starts *s = walk__may_follow(w, m) ? table__starts(m->table) : NULL;

	w->code.spent |= !s;
	return s && starts__find(s, vaddr, start, end);
}

bool walk__function(struct walk *w, const struct walk_map *m, u64 vaddr, u64 *start, u64 *end)
{
	return walk__may_follow(w, m) &&
	       (table__start(m->table, vaddr, w->prepared, start, end) ||
		walk__symbol(w, m, vaddr, start, end));
}
