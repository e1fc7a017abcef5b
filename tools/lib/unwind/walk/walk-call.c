// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* What stands before a return address: a call, and of which function. */
#include "walk-steps.h"

/* Does a signal handler return to @ra? */
static bool is_trampoline(struct walk *w, u64 ra)
{
	const struct row_rule *rule;
	struct walk_map *m = walk__map(w, ra);

	if (!m || !m->table)
		return false;
	if (map__sigframe(w, m, ra))
		return true;
	rule = walk__rule(w, m, ra - m->bias);
	return rule && rule->flags & ROW_SIGNAL;
}

bool walk__follows_call(struct walk *w, u64 ra)
{
	struct walk_map *m = walk__map(w, ra - 1);
	struct walk_code code;
	const u8 *end;

	if (m && !m->table)
		return true;
	end = m ? walk_map__code(m, ra, &code) : NULL;
	return (end && (w->arch->is_call(end) || w->arch->is_root(end))) || is_trampoline(w, ra);
}

struct walk_map *walk__call_target(struct walk *w, u64 ra, u64 *target)
{
	struct walk_map *m = walk__map(w, ra - 1);
	struct walk_code code;
	s64 distance;

	if (!m || !m->table || !w->arch->call_distance(walk_map__code(m, ra, &code), &distance))
		return NULL;
	*target = ra + distance;
	return m;
}
