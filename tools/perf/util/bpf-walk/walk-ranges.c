// SPDX-License-Identifier: GPL-2.0-only
#include "walk-ranges.h"

#include <stddef.h>
#include <string.h>

/*
 * Ranges that only older tables have. When there are more, the tables that had the oldest of them
 * are not known any more.
 */
#define MAX_GONE 256

u32 walk_modules__serial(const struct walk_modules *m, u32 module)
{
	return module < m->forgotten.nr ? m->forgotten.v[module] : 0;
}

void walk_modules__forget(struct walk_modules *m, u32 module)
{
	while (m->forgotten.nr <= module)
		*vec__push(&m->forgotten) = 0;
	m->forgotten.v[module]++;
}

void walk_ranges__begin(struct walk_ranges *r, const struct maps *maps)
{
	r->now.nr = r->gone.nr = 0;
	r->oldest = r->newest = r->nr_broken = 0;
	r->maps_generation = maps__generation(maps);
}

void walk_ranges__free(struct walk_ranges *r)
{
	vec__free(&r->now);
	vec__free(&r->gone);
}

static bool range__same(const struct walk_range *a, const struct walk_range *b)
{
	return !memcmp(a, b, offsetof(struct walk_range, first));
}

static bool walk_ranges__same(const struct walk_ranges *r, const struct walk_range *v, size_t nr)
{
	if (r->now.nr != nr)
		return false;
	for (size_t i = 0; i < nr; i++)
		if (!range__same(&r->now.v[i], &v[i]))
			return false;
	return true;
}

static void walk_ranges__limit_gone(struct walk_ranges *r)
{
	size_t drop = r->gone.nr - MAX_GONE / 2;

	if (r->gone.nr <= MAX_GONE)
		return;
	r->oldest = max_of(r->oldest, r->gone.v[drop - 1].last + 1);
	r->gone.nr -= drop;
	memmove(r->gone.v, r->gone.v + drop, r->gone.nr * sizeof(*r->gone.v));
}

/* The first range of @v whose key is not below @key. */
static size_t lower_bound(const struct walk_range *v, size_t nr, u64 key)
{
	size_t from = 0, to = nr;

	while (from < to) {
		size_t mid = (from + to) / 2;

		if (v[mid].key < key)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

/* Returns: the same range among those of the newest table, or NULL. */
static const struct walk_range *walk_ranges__find(const struct walk_ranges *r,
						  const struct walk_range *range)
{
	size_t i = lower_bound(r->now.v, r->now.nr, range->key);

	return i < r->now.nr && range__same(&r->now.v[i], range) ? &r->now.v[i] : NULL;
}

static void walk_ranges__end_old(struct walk_ranges *r, const struct walk_range *v, size_t nr)
{
	for (size_t i = 0; i < r->now.nr; i++) {
		struct walk_range old = r->now.v[i];
		size_t at = lower_bound(v, nr, old.key);

		/* One that no table had was taken for one that there was no room for. */
		if (old.first > r->newest || (at < nr && range__same(&v[at], &old)))
			continue;
		old.last = r->newest;
		*vec__push(&r->gone) = old;
	}
	walk_ranges__limit_gone(r);
}

bool walk_ranges__take(struct walk_ranges *r, const struct walk_range *v, size_t nr, u32 number)
{
	VEC(struct walk_range) taken = {};

	r->nr_broken = 0;
	if (walk_ranges__same(r, v, nr)) {
		for (size_t i = 0; i < nr; i++)
			r->now.v[i].broken = false;
		return false;
	}
	walk_ranges__end_old(r, v, nr);
	vec__reserve(&taken, nr);
	for (size_t i = 0; i < nr; i++) {
		const struct walk_range *old = walk_ranges__find(r, &v[i]);
		struct walk_range *own = vec__push(&taken);

		*own = v[i];
		own->first = old ? old->first : number;
		own->last = 0;
		own->broken = false;
	}
	vec__free(&r->now);
	r->now.v = taken.v;
	r->now.nr = taken.nr;
	r->now.max = taken.max;
	return true;
}

void walk_ranges__number(struct walk_ranges *r, u32 number)
{
	r->newest = number;
	if (!r->oldest)
		r->oldest = number;
}

void walk_ranges__copy(struct walk_ranges *r, const struct walk_ranges *from)
{
	r->now.nr = r->gone.nr = 0;
	for (size_t i = 0; i < from->now.nr; i++) {
		*vec__push(&r->now) = from->now.v[i];
		r->now.v[i].broken = false;
	}
	for (size_t i = 0; i < from->gone.nr; i++)
		*vec__push(&r->gone) = from->gone.v[i];
	r->oldest = from->oldest;
	r->newest = from->newest;
	r->nr_broken = 0;
}

/* Whether a mapping is what it was. */
static bool range__holds(const struct walk_range *r, const struct walk_modules *modules,
			 const struct maps *maps)
{
	const struct map *m = maps__next(maps, r->key);

	return m && m->start == r->map_start && m->end == r->map_end &&
	       m->dso->id == r->module &&
	       walk_modules__serial(modules, r->module) == r->module_serial &&
	       (m->pgoff == r->pgoff || m->dso->kind == DSO_VDSO);
}

void walk_ranges__update(struct walk_ranges *r, const struct walk_modules *m, struct maps *maps)
{
	const struct map_change *c;
	size_t nr;

	if (r->maps_generation == maps__generation(maps))
		return;
	c = maps__changes(maps, r->maps_generation, &nr);
	r->maps_generation = maps__generation(maps);
	for (size_t i = 0; i < r->now.nr; i++) {
		struct walk_range *range = &r->now.v[i];
		bool touched = !c;

		for (size_t k = 0; k < nr && c; k++)
			touched |= range->key < c[k].end && range->end > c[k].start;
		if (!touched)
			continue;
		r->nr_broken -= range->broken;
		range->broken = !range__holds(range, m, maps);
		r->nr_broken += range->broken;
	}
}

static bool walk_ranges__know(const struct walk_ranges *r, u32 number)
{
	return r->newest && number >= r->oldest && number <= r->newest;
}

bool walk_ranges__hold(const struct walk_ranges *r, u32 number)
{
	u32 gone = r->gone.nr ? r->gone.v[r->gone.nr - 1].last : 0;

	return walk_ranges__know(r, number) && number > gone && !r->nr_broken;
}

/* Returns: the range of @addr in the table with the number @number, or NULL. */
static const struct walk_range *walk_ranges__at(const struct walk_ranges *r, u32 number, u64 addr)
{
	size_t i = lower_bound(r->now.v, r->now.nr, addr + 1);
	const struct walk_range *v = i ? &r->now.v[i - 1] : NULL;

	if (v && addr < v->end && v->first <= number)
		return v;
	for (i = r->gone.nr; i-- && r->gone.v[i].last >= number;) {
		v = &r->gone.v[i];
		if (v->first <= number && addr >= v->key && addr < v->end)
			return v;
	}
	return NULL;
}

u64 walk_ranges__judge(const struct walk_ranges *r, const struct walk_modules *m,
		       const struct maps *maps, u32 number, const u64 *ips, u64 nr)
{
	if (!walk_ranges__know(r, number))
		return min_of(nr, (u64)1);
	for (u64 i = 0; i < nr; i++) {
		/* The frames that are left out may have been of something else. */
		if (ips[i] == CALLCHAIN_GAP)
			return i;
		/* Of a caller the call is looked up, unless that was interrupted by a signal. */
		const struct walk_range *at = walk_ranges__at(r, number, ips[i]);
		const struct walk_range *call = i ? walk_ranges__at(r, number, ips[i] - 1) : at;

		if ((!at && !call) || (at && !range__holds(at, m, maps)) ||
		    (call && call != at && !range__holds(call, m, maps)))
			return i + 1;
	}
	return nr;
}

bool walk_ranges__fit(const struct walk_ranges *r, const struct walk_modules *m,
		      const struct maps *maps)
{
	size_t held = 0;

	for (size_t i = 0; i < r->now.nr; i++) {
		const struct walk_range *range = &r->now.v[i];
		const struct map *map = maps__next(maps, range->key);

		if (range__holds(range, m, maps))
			held++;
		else if (map && map->start < range->end)
			return false;
	}
	return held;
}
