// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "mem.h"
#include "../../../lib/unwind/core/env.h"

u64 hash_seed;

__attribute__((constructor)) static void choose_seed(void)
{
	hash_seed = env__seed();
}

static struct map64_slot *find(const struct map64 *m, u64 key)
{
	size_t i = hash_u64(key) & (m->max - 1);

	while (m->slots[i].value && m->slots[i].key != key)
		i = (i + 1) & (m->max - 1);
	return &m->slots[i];
}

void *map64__get(const struct map64 *m, u64 key)
{
	return m->max ? find(m, key)->value : NULL;
}

static void grow(struct map64 *m)
{
	struct map64 bigger = { .max = m->max ? m->max * 2 : 64, .nr = m->nr };

	bigger.slots = xcalloc(bigger.max, sizeof(*bigger.slots));
	map64__for_each(m, s)
		*find(&bigger, s->key) = *s;
	free(m->slots);
	*m = bigger;
}

void *map64__set(struct map64 *m, u64 key, void *value)
{
	struct map64_slot *s;
	void *old;

	if (m->nr * 2 >= m->max)
		grow(m);
	s = find(m, key);
	old = s->value;
	if (!old)
		m->nr++;
	s->key = key;
	s->value = value;
	return old;
}

void *map64__del(struct map64 *m, u64 key)
{
	size_t mask = m->max - 1, hole, i;
	struct map64_slot *s;
	void *old;

	if (!m->max)
		return NULL;
	s = find(m, key);
	old = s->value;
	if (!old)
		return NULL;
	s->value = NULL;
	m->nr--;
	hole = s - m->slots;
	for (i = (hole + 1) & mask; m->slots[i].value; i = (i + 1) & mask) {
		size_t home = hash_u64(m->slots[i].key) & mask;

		/* Move back only entries that could no longer be found from their home slot. */
		if (((i - home) & mask) >= ((i - hole) & mask)) {
			m->slots[hole] = m->slots[i];
			m->slots[i].value = NULL;
			hole = i;
		}
	}
	return old;
}

void map64__free(struct map64 *m)
{
	free(m->slots);
	memset(m, 0, sizeof(*m));
}
