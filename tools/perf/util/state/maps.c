// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "../base/log.h"
#include "maps.h"

#define CHUNK_MAX 512

/* A run of maps in address order. Changed only while one set refers to it. */
struct chunk {
	u32 refs, nr;
	const struct map *v[CHUNK_MAX];
};

/* What struct map is a part of. */
struct held_map {
	struct map map;
	u32 refs;               /* chunks that it is in */
	struct held_map *next;  /* of the spare ones */
};

struct slot {
	struct chunk *chunk; /* never empty */
	size_t before;       /* maps in the slots before this one */
};

/* The row of a set's chunks. Changed only while one set refers to it. */
struct row {
	u32 refs;
	VEC(struct slot) slots;
};

struct maps {
	struct map_pool *pool;
	u32 refs, id;
	u64 generation;
	size_t nr;
	struct row *row;
	struct maps *before;   /* of the program that called execve(), until the new one runs */
	bool has_vdso;
};

/* A place in the set; i may be one past the end of the last chunk. */
struct place {
	size_t slot, i;
};

static const struct map *map__new(struct map_pool *pool, const struct map *map)
{
	struct held_map *held = pool->spare;

	if (held)
		pool->spare = held->next;
	else
		held = arena__alloc(pool->arena, sizeof(*held));
	*held = (struct held_map){ .map = *map, .refs = 1 };
	if (pool->dsos)
		dsos__get(pool->dsos, map->dso);
	return &held->map;
}

static void map__get(const struct map *map)
{
	((struct held_map *)map)->refs++;
}

static void map__put(struct map_pool *pool, const struct map *map)
{
	struct held_map *held = (struct held_map *)map;

	if (--held->refs || !pool->forget)
		return;
	held->next = pool->spare;
	pool->spare = held;
	if (pool->dsos)
		dsos__put(pool->dsos, map->dso);
}

static struct row *row__new(void)
{
	struct row *row = xzalloc(sizeof(*row));

	row->refs = 1;
	return row;
}

/* Takes the reference to @row. */
static struct maps *maps__with(struct row *row, struct map_pool *pool, u32 id)
{
	struct maps *maps = xzalloc(sizeof(*maps));

	maps->pool = pool;
	maps->refs = 1;
	maps->id = id;
	maps->row = row;
	return maps;
}

struct maps *maps__new(struct map_pool *pool, u32 id)
{
	return maps__with(row__new(), pool, id);
}

struct maps *maps__clone(const struct maps *from, u32 id)
{
	struct maps *maps = maps__with(from->row, from->pool, id);

	from->row->refs++;
	maps->nr = from->nr;
	return maps;
}

struct maps *maps__get(struct maps *maps)
{
	maps->refs++;
	return maps;
}

bool maps__is_shared(const struct maps *maps)
{
	return maps->refs > 1;
}

static void chunk__put(struct map_pool *pool, struct chunk *c)
{
	if (--c->refs)
		return;
	for (u32 i = 0; i < c->nr; i++)
		map__put(pool, c->v[i]);
	free(c);
}

static void row__put(struct map_pool *pool, struct row *row)
{
	if (--row->refs)
		return;
	for (size_t i = 0; i < row->slots.nr; i++)
		chunk__put(pool, row->slots.v[i].chunk);
	vec__free(&row->slots);
	free(row);
}

void maps__put(struct maps *maps)
{
	if (!maps || --maps->refs)
		return;
	row__put(maps->pool, maps->row);
	maps__put(maps->before);
	free(maps);
}

void maps__set_before(struct maps *maps, struct maps *before)
{
	maps->before = maps__get(before);
	maps__put(before->before);
	before->before = NULL;
}

const struct maps *maps__before(const struct maps *maps)
{
	return maps->before;
}

/* The kernel maps the vDSO last; what comes then is mapped by the new program itself. */
static void maps__note_progress(struct maps *maps, const struct map *map)
{
	if (maps->has_vdso) {
		maps__put(maps->before);
		maps->before = NULL;
	}
	maps->has_vdso |= map->dso->kind == DSO_VDSO;
}

size_t maps__nr(const struct maps *maps)
{
	return maps->nr;
}

u64 maps__generation(const struct maps *maps)
{
	return maps->generation;
}

u32 maps__id(const struct maps *maps)
{
	return maps->id;
}

const struct map *maps__at(const struct maps *maps, size_t i)
{
	size_t lo = 0, hi = maps->row->slots.nr;

	BUG_ON(i >= maps->nr);
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (maps->row->slots.v[mid].before <= i)
			lo = mid;
		else
			hi = mid;
	}
	return maps->row->slots.v[lo].chunk->v[i - maps->row->slots.v[lo].before];
}

/* The first map that ends behind @addr. */
static struct place maps__seek(const struct maps *maps, u64 addr)
{
	struct place p = {};
	size_t lo = 0, hi = maps->row->slots.nr;
	const struct chunk *c;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		c = maps->row->slots.v[mid].chunk;
		if (c->v[c->nr - 1]->end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	p.slot = lo;
	if (lo == maps->row->slots.nr)
		return p;
	c = maps->row->slots.v[lo].chunk;
	for (lo = 0, hi = c->nr; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->v[mid]->end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	p.i = lo;
	return p;
}

static const struct map *maps__peek(const struct maps *maps, struct place p)
{
	return p.slot < maps->row->slots.nr ? maps->row->slots.v[p.slot].chunk->v[p.i] : NULL;
}

const struct map *maps__find(const struct maps *maps, u64 ip)
{
	const struct map *map = maps__peek(maps, maps__seek(maps, ip));

	return map && map->start <= ip ? map : NULL;
}

static void maps__recount(struct maps *maps, size_t slot)
{
	struct slot *v = maps->row->slots.v;

	for (; slot < maps->row->slots.nr; slot++)
		v[slot].before = slot ? v[slot - 1].before + v[slot - 1].chunk->nr : 0;
}

/* The row, made our own if it was shared. */
static struct row *maps__own_row(struct maps *maps)
{
	struct row *row = maps->row;

	if (row->refs == 1)
		return row;
	maps->row = row__new();
	vec__reserve(&maps->row->slots, row->slots.nr);
	for (size_t i = 0; i < row->slots.nr; i++) {
		row->slots.v[i].chunk->refs++;
		*vec__push(&maps->row->slots) = row->slots.v[i];
	}
	row->refs--;
	return maps->row;
}

/* The chunk of @slot, made our own if it was shared. */
static struct chunk *maps__own(struct maps *maps, size_t slot)
{
	struct chunk **c = &maps__own_row(maps)->slots.v[slot].chunk;

	if ((*c)->refs > 1) {
		(*c)->refs--;
		*c = xmemdup(*c, sizeof(**c));
		(*c)->refs = 1;
		for (u32 i = 0; i < (*c)->nr; i++)
			map__get((*c)->v[i]);
	}
	return *c;
}

static void maps__add_slot(struct maps *maps, size_t at, struct chunk *c)
{
	struct row *row = maps__own_row(maps);
	struct slot *v;

	vec__push(&row->slots);
	v = row->slots.v;
	memmove(v + at + 1, v + at, (row->slots.nr - 1 - at) * sizeof(*v));
	v[at].chunk = c;
}

static struct chunk *chunk__new(void)
{
	struct chunk *c = xzalloc(sizeof(*c));

	c->refs = 1;
	return c;
}

/* Makes room in a full chunk; @p moves along. Appending leaves the full chunk as it is. */
static void maps__split(struct maps *maps, struct place *p)
{
	struct chunk *c = maps__own(maps, p->slot), *right = chunk__new();
	u32 keep = p->i == CHUNK_MAX ? CHUNK_MAX : CHUNK_MAX / 2;

	right->nr = CHUNK_MAX - keep;
	memcpy(right->v, c->v + keep, right->nr * sizeof(*c->v));
	c->nr = keep;
	maps__add_slot(maps, p->slot + 1, right);
	if (p->i >= keep) {
		p->slot++;
		p->i -= keep;
	}
}

static void maps__put_at(struct maps *maps, struct place p, const struct map *map)
{
	size_t first = p.slot; /* what is behind it moves on */
	struct chunk *c;

	if (p.slot == maps->row->slots.nr && p.slot) {
		p.slot--;
		p.i = maps->row->slots.v[p.slot].chunk->nr;
	}
	if (!maps->row->slots.nr)
		maps__add_slot(maps, 0, chunk__new());
	if (maps->row->slots.v[p.slot].chunk->nr == CHUNK_MAX)
		maps__split(maps, &p);
	c = maps__own(maps, p.slot);
	memmove(c->v + p.i + 1, c->v + p.i, (c->nr - p.i) * sizeof(*c->v));
	c->v[p.i] = map;
	c->nr++;
	maps->nr++;
	maps__recount(maps, first);
}

static void maps__delete_at(struct maps *maps, struct place p)
{
	struct chunk *c = maps__own(maps, p.slot);
	struct slot *v = maps->row->slots.v;

	map__put(maps->pool, c->v[p.i]);
	c->nr--;
	memmove(c->v + p.i, c->v + p.i + 1, (c->nr - p.i) * sizeof(*c->v));
	maps->nr--;
	if (!c->nr) {
		chunk__put(maps->pool, c);
		maps->row->slots.nr--;
		memmove(v + p.slot, v + p.slot + 1, (maps->row->slots.nr - p.slot) * sizeof(*v));
	}
	maps__recount(maps, p.slot);
}

static const struct map *map__piece(const struct map *map, struct map_pool *pool, u64 start,
				    u64 end)
{
	struct map piece = *map;

	piece.pgoff += start - map->start;
	piece.start = start;
	piece.end = end;
	return map__new(pool, &piece);
}

/* One step of taking [start, end) out; false when nothing of it is left. */
static bool maps__cut_one(struct maps *maps, u64 start, u64 end)
{
	struct place p = maps__seek(maps, start);
	const struct map *old = maps__peek(maps, p);
	const struct map *left = NULL, *right = NULL;

	if (!old || old->start >= end)
		return false;
	if (old->start < start)
		left = map__piece(old, maps->pool, old->start, start);
	if (old->end > end)
		right = map__piece(old, maps->pool, end, old->end);
	if (!left && !right) {
		maps__delete_at(maps, p);
		return true;
	}
	maps__own(maps, p.slot)->v[p.i] = left ? left : right;
	map__put(maps->pool, old);
	if (left && right) {
		p.i++;
		maps__put_at(maps, p, right);
	}
	return !right;
}

void maps__remove(struct maps *maps, u64 start, u64 end)
{
	while (maps__cut_one(maps, start, end))
		maps->generation++;
	maps->generation++;
}

const struct map *maps__insert(struct maps *maps, const struct map *map)
{
	struct place p = maps__seek(maps, map->start);
	const struct map *old = maps__peek(maps, p);

	if (old && !memcmp(old, map, sizeof(*map))) {
		map = old; /* said twice: by us from /proc and by the kernel */
	} else {
		map = map__new(maps->pool, map); /* first: it holds the dso */
		maps__remove(maps, map->start, map->end);
		maps__put_at(maps, maps__seek(maps, map->start), map);
	}
	maps__note_progress(maps, map);
	return map;
}
