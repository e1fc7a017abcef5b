// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "places.h"

/* Room for so many in the beginning, 8 MB: the system gives memory when it is used. */
#define PLACES_ROOM (1 << 17)

void places__grow(struct places *p)
{
	u32 max = p->max ? p->max * 2 : PLACES_ROOM;
	struct place *v = xhuge(max * sizeof(*v));

	if (p->nr)
		memcpy(v + 1, p->v + 1, p->nr * sizeof(*v));
	free(p->v);
	p->v = v;
	p->max = max;
}

void places__free(struct places *p)
{
	free(p->v);
	*p = (struct places){};
}
