// SPDX-License-Identifier: GPL-2.0-only
#include "recursion.h"

#include <stdlib.h>

/* Takes the steps behind the first @nr away. */
static void cut(struct folded *f, u32 nr)
{
	while (f->v.nr > nr)
		f->place[f->v.v[--f->v.nr].frame] = 0;
}

void recursion__fold(struct folded *f, const struct hist *h, const u32 *frames, u32 nr, bool fold)
{
	if (!f->place) {
		f->place = xcalloc(h->stacks.frames.nr, sizeof(*f->place));
		f->times = xcalloc(h->stacks.frames.nr, sizeof(*f->times));
	}
	f->v.nr = 0;
	for (u32 i = nr; i--;) {
		u32 frame = h->stacks.frames.v[frames[i]].shown;

		f->times[frame] = fold ? f->times[frame] + 1 : 1;
		if (fold && f->place[frame]) {
			cut(f, f->place[frame]);
			continue;
		}
		*vec__push(&f->v) = (struct folded_step){ .frame = frame };
		f->place[frame] = f->v.nr;
	}
	for (u32 i = 0; i < f->v.nr; i++) {
		f->v.v[i].times = f->times[f->v.v[i].frame];
		f->place[f->v.v[i].frame] = 0;
	}
	for (u32 i = 0; i < nr; i++)
		f->times[h->stacks.frames.v[frames[i]].shown] = 0;
}

void recursion__free(struct folded *f)
{
	vec__free(&f->v);
	free(f->place);
	free(f->times);
	*f = (struct folded){};
}
