// SPDX-License-Identifier: GPL-2.0-only
/* The index: the entries of each thread's deferred records, in blocks, and positions in them. */
#include <stdlib.h>
#include <string.h>

#include "priv.h"

static bool says_the_same(const struct index_entry *a, const struct index_entry *b)
{
	struct deferred_record x = entry__record(a), y = entry__record(b);

	return x.cookie == y.cookie && x.nr == y.nr &&
	       (!x.nr || !memcmp(x.ips, y.ips, x.nr * sizeof(*x.ips)));
}

#define BLOCK_MAX 64 /* units */

/* Each four times as large as the one before it, up to a page. */
static bool add_block(struct deferred *d, struct task *t)
{
	u32 units = 1, nr = d->units.nr + 1;
	struct index_block *b;

	if (d->units.nr > UINT32_MAX - BLOCK_MAX)
		return false;
	for (u32 i = t->last; i && units < BLOCK_MAX; i = index_block(d, i)->prev)
		units *= 4;
	for (u32 i = 0; i < units; i++)
		big_array__push(&d->units);
	t->room = (units * ENTRY_UNIT - sizeof(*b)) / sizeof(b->v[0]) - 1;
	b = index_block(d, nr);
	*b = (struct index_block){ .prev = t->last, .nr = t->room };
	if (t->last)
		index_block(d, t->last)->next = nr;
	else
		t->first = nr;
	t->last = nr;
	t->at = (struct index_pos){ nr, 0 };
	return true;
}

bool task__add_entry(struct deferred *d, struct task *t, const struct index_entry *new)
{
	struct index_entry *e;

	/* With two output events in a session, every record is written twice in a row. */
	if (t->last && t->last_tag == cookie_tag(new->cookie) &&
	    says_the_same(entry_at(d, t->at) - 1, new))
		return false;
	if (t->last && new->time != NO_TIME && t->last_time != NO_TIME && new->time < t->last_time)
		t->unsorted = true;
	if (!t->room && !add_block(d, t))
		return false;
	e = entry_at(d, t->at);
	e[0] = *new;
	e[1].place8 = 0;
	__builtin_prefetch(e + 3, 1); /* every third time this is a new cache line */
	t->at.i++;
	t->room--;
	t->last_tag = cookie_tag(new->cookie);
	t->last_time = new->time;
	d->nr_entries++;
	return true;
}

static int entry_cmp(const void *a, const void *b)
{
	struct moment x = entry__moment(a), y = entry__moment(b);

	return moment_cmp(&x, &y);
}

/*
 * A recorder that wrote a part of a ring twice has written equal records with equal times. Once
 * sorted they are neighbours: all but one are removed.
 */
static u64 sort_entries(struct deferred *d, struct task *t)
{
	struct index_pos pos = { t->first, 0 }, end = pos;
	VEC(struct index_entry) all = {};
	u64 nr = 0;

	for (; pos.block; pos = entry_next(d, pos))
		*vec__push(&all) = *entry_at(d, pos);
	qsort(all.v, all.nr, sizeof(*all.v), entry_cmp);
	pos = end;
	for (size_t i = 0; i < all.nr; i++) {
		if (nr && says_the_same(entry_at(d, end), &all.v[i]))
			continue;
		end = pos;
		pos = entry_next(d, pos); /* before its end may be overwritten */
		*entry_at(d, end) = all.v[i];
		nr++;
	}
	nr = all.nr - nr;
	t->last = end.block;
	index_block(d, end.block)->nr = end.i + 1;
	index_block(d, end.block)->next = 0;
	index_block(d, end.block)->v[end.i + 1].place8 = 0;
	vec__free(&all);
	return nr;
}

u64 task__seal(struct deferred *d, struct task *t)
{
	u64 duplicates = 0;

	if (t->last)
		index_block(d, t->last)->nr = t->at.i;
	if (t->unsorted)
		duplicates = sort_entries(d, t);
	t->at = (struct index_pos){ t->first, 0 };
	t->last_time = 0;
	return duplicates;
}
