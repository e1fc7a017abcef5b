/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hash index over items in an array of the user's: it holds their numbers (from 1; 0 is none) and
 * half of their hashes, and the user compares the items that are found.
 *
 *	struct index_probe p;
 *	for (u32 i = index__first(&idx, hash, &p); i; i = index__next(&idx, &p))
 *		if (items[i] equals)
 *			return i;
 *	index__add(&idx, hash, new_item);
 *
 * Open addressing, at most half full, no deletion. All zero is a valid empty index.
 */
#ifndef PERF_BASE_INDEX_H
#define PERF_BASE_INDEX_H

#include <stdlib.h>
#include <string.h>

#include "mem.h"

struct index_slot {
	u32 item, hash;
};

struct index {
	struct index_slot *slots;
	size_t nr, max;
};

struct index_probe {
	size_t pos;
	u32 hash;
};

/*
 * Goes on with a search that index__first() began.
 * Returns: the number of another item that may be equal; 0: there are no more.
 */
static inline u32 index__next(const struct index *idx, struct index_probe *p)
{
	for (;;) {
		const struct index_slot *s = &idx->slots[p->pos++ & (idx->max - 1)];

		if (!s->item || s->hash == p->hash)
			return s->item;
	}
}

/*
 * Begins a search for an item.
 * @hash: its hash
 * @p: the state of the search, for index__next()
 * Returns: the number of an item that may be equal; 0: there is none.
 */
static inline u32 index__first(const struct index *idx, u64 hash, struct index_probe *p)
{
	if (!idx->max)
		return 0;
	p->pos = p->hash = (u32)hash;
	return index__next(idx, p);
}

/* Begins to fetch the place where a search for the item with the hash @hash will begin. */
static inline void index__fetch(const struct index *idx, u64 hash)
{
	if (idx->max)
		__builtin_prefetch(&idx->slots[(u32)hash & (idx->max - 1)]);
}

/* Returns: what a search for the hash @hash may find; 0: probably nothing. */
static inline u32 index__guess(const struct index *idx, u64 hash)
{
	return idx->max ? idx->slots[(u32)hash & (idx->max - 1)].item : 0;
}

/*
 * Internal. Returns: an empty table of @max slots. It is used all over: in huge pages each look-up
 * misses a TLB less.
 */
static inline struct index_slot *index__new_slots(size_t max)
{
	size_t size = max * sizeof(struct index_slot);

	return size % HUGE_PAGE ? xzalloc(size) : memset(xhuge(size), 0, size);
}

/* Internal: puts an entry, @slot, into a table that has room. */
static inline void index__place(struct index *idx, struct index_slot slot)
{
	size_t pos = slot.hash & (idx->max - 1);

	while (idx->slots[pos].item)
		pos = (pos + 1) & (idx->max - 1);
	idx->slots[pos] = slot;
}

/*
 * Adds an item, without a look at whether an equal one is there.
 * @hash: its hash; only the lower half is kept
 * @item: its number, not 0
 */
static inline void index__add(struct index *idx, u64 hash, u32 item)
{
	if (idx->nr * 2 >= idx->max) {
		struct index old = *idx;

		idx->max = old.max ? old.max * 2 : 64;
		idx->slots = index__new_slots(idx->max);
		for (size_t i = 0; i < old.max; i++)
			if (old.slots[i].item)
				index__place(idx, old.slots[i]);
		free(old.slots);
	}
	index__place(idx, (struct index_slot){ .item = item, .hash = (u32)hash });
	idx->nr++;
}

/* Frees the table. The index is empty then, and may be used again. */
static inline void index__free(struct index *idx)
{
	free(idx->slots);
	*idx = (struct index){};
}

/* Removes all items; keeps the memory unless it is far more than they needed. */
static inline void index__clear(struct index *idx)
{
	if (idx->max > 1024 && idx->max / 32 > idx->nr)
		index__free(idx);
	for (size_t i = 0; i < idx->max; i++)
		idx->slots[i].item = 0;
	idx->nr = 0;
}

#endif
