// SPDX-License-Identifier: GPL-2.0-only
#include "folding.h"

#include <stdlib.h>

#include "../base/hash.h"

void folding__init(struct folding *f, u32 nr_functions)
{
	f->place = xcalloc(nr_functions + 1, sizeof(*f->place));
	f->holds = xcalloc(nr_functions + 1, sizeof(*f->holds));
	*vec__push(&f->v) = (struct folding_node){};
	*vec__push(&f->path) = 0;
}

void folding__free(struct folding *f)
{
	vec__free(&f->v);
	vec__free(&f->path);
	vec__free(&f->met);
	vec__free(&f->stack);
	index__free(&f->index);
	free(f->place);
	free(f->holds);
}

static u32 child(struct folding *f, u32 parent, u32 function)
{
	u64 hash = hash_u64((u64)parent << 32 | function);
	struct index_probe p;
	u32 i;

	for (i = index__first(&f->index, hash, &p); i; i = index__next(&f->index, &p))
		if (f->v.v[i].parent == parent && f->v.v[i].function == function)
			return i;
	i = f->v.nr;
	*vec__push(&f->v) = (struct folding_node){
		.parent = parent, .function = function, .depth = f->v.v[parent].depth + 1,
	};
	f->v.v[i].held = f->holds[function] ? f->v.v[i].depth : f->v.v[parent].held;
	index__add(&f->index, hash, i);
	return i;
}

/* Returns the node behind that of @at, which is the end of the present path. */
static u32 step(struct folding *f, u32 at, u32 function)
{
	u32 before = f->place[function];

	/* What is there of longer paths before this one is behind the end. */
	if (!f->keeps_all && before && f->v.v[before].depth <= f->v.v[at].depth &&
	    f->path.v[f->v.v[before].depth] == before &&
	    (f->holds[function] || f->v.v[before].depth >= f->v.v[at].held))
		return before;
	at = child(f, at, function);
	vec__reserve(&f->path, f->v.v[at].depth + 1);
	f->path.v[f->v.v[at].depth] = at;
	f->place[function] = at;
	return at;
}

u32 folding__stack(struct folding *f, const u32 *functions, u32 nr)
{
	u32 node = 0;

	f->met.nr = 0;
	for (u32 i = 0; i < nr; i++) {
		node = step(f, node, functions[i]);
		f->v.v[node].met++;
		*vec__push(&f->met) = node;
	}
	for (u32 n = node; n; n = f->v.v[n].parent)
		f->v.v[n].times = max_of(f->v.v[n].times, f->v.v[n].met);
	for (u32 i = 0; i < nr; i++)
		f->v.v[f->met.v[i]].met = 0;
	return node;
}
