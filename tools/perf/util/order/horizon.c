// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "../base/vec.h"
#include "../data/record.h"
#include "horizon.h"

/* Records. Small, so that they are still in a cache when they leave; a horizon costs little. */
#define CHUNK 64

struct horizon {
	u64 nr;        /* records noted */
	u64 smallest;  /* in the chunk that is open */
	VEC(u64) after; /* sealed: smallest time in chunk i and all behind it */
};

struct horizon *horizon__new(void)
{
	struct horizon *h = xzalloc(sizeof(*h));

	h->smallest = NO_TIME;
	return h;
}

void horizon__free(struct horizon *h)
{
	if (!h)
		return;
	vec__free(&h->after);
	free(h);
}

void horizon__note(struct horizon *h, u64 time)
{
	/* NO_TIME is the largest number, and so never the smallest time. */
	h->smallest = min_of(h->smallest, time);
	if (++h->nr % CHUNK == 0) {
		*vec__push(&h->after) = h->smallest;
		h->smallest = NO_TIME;
	}
}

void horizon__seal(struct horizon *h)
{
	*vec__push(&h->after) = h->smallest;
	for (size_t i = h->after.nr - 1; i > 0; i--)
		h->after.v[i - 1] = min_of(h->after.v[i - 1], h->after.v[i]);
}

bool horizon__at(const struct horizon *h, u64 nr, u64 *time)
{
	u64 next = nr / CHUNK;

	if (nr % CHUNK || next >= h->after.nr)
		return false;
	*time = h->after.v[next];
	return true;
}
