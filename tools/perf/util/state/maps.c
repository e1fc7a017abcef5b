// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "../base/log.h"
#include "maps.h"

/* At most so many changes are kept, plus a quarter of the number of maps. */
#define CHANGES_KEPT 64

/* A map with its references. */
struct held_map {
	struct map map;
	u32 refs;               /* nodes of trees that hold it */
	struct held_map *next;  /* in the list of spare ones */
};

struct maps {
	struct map_pool *pool;
	u32 refs, id;
	u64 generation;
	struct tree64 tree;    /* by their ends */
	VEC(struct map_change) changes; /* the last ones, one for each generation */
	bool keeps_changes;    /* maps__changes() was called */
	struct maps *frozen;   /* maps__freeze() of the present generation, or NULL */
	struct maps *before;   /* of the program that called execve(), until the new one runs */
	bool has_vdso;
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

static void map__get(void *ctx __unused_arg, void *map)
{
	((struct held_map *)map)->refs++;
}

static void map__put(void *ctx, void *map)
{
	struct held_map *held = map;
	struct map_pool *pool = ctx;

	if (--held->refs || !pool->forget)
		return;
	held->next = pool->spare;
	pool->spare = held;
	if (pool->dsos)
		dsos__put(pool->dsos, held->map.dso);
}

static struct maps *maps__with(struct map_pool *pool, struct tree64 tree, u32 id)
{
	struct maps *maps = xzalloc(sizeof(*maps));

	maps->pool = pool;
	maps->refs = 1;
	maps->id = id;
	maps->tree = tree;
	return maps;
}

struct maps *maps__new(struct map_pool *pool, u32 id)
{
	pool->nodes.env = &endless_memory;
	pool->nodes.get = map__get;
	pool->nodes.put = map__put;
	pool->nodes.ctx = pool;
	return maps__with(pool, (struct tree64){ .ops = &pool->nodes }, id);
}

struct maps *maps__clone(const struct maps *from, u32 id)
{
	return maps__with(from->pool, tree64__copy(&from->tree), id);
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

void maps__put(struct maps *maps)
{
	if (!maps || --maps->refs)
		return;
	tree64__free(&maps->tree);
	vec__free(&maps->changes);
	maps__put(maps->frozen);
	maps__put(maps->before);
	free(maps);
}

static void maps__thaw(struct maps *maps)
{
	maps__put(maps->frozen);
	maps->frozen = NULL;
}

struct maps *maps__freeze(struct maps *maps)
{
	if (!maps->frozen) {
		maps->frozen = maps__clone(maps, maps->id);
		maps->frozen->generation = maps->generation;
		if (maps->before)
			maps->frozen->before = maps__freeze(maps->before);
	}
	return maps__get(maps->frozen);
}

void maps__set_before(struct maps *maps, struct maps *before)
{
	maps__thaw(maps);
	maps__thaw(before);
	maps->before = maps__get(before);
	maps__put(before->before);
	before->before = NULL;
}

struct maps *maps__before(const struct maps *maps)
{
	return maps->before;
}

/*
 * The kernel maps the vDSO and its data last, "[vvar]" and others whose names depend on its
 * version; any later mapping is made by the new program itself.
 */
static void maps__note_progress(struct maps *maps, const struct map *map)
{
	if (maps->has_vdso && map->dso->name[0] != '[' && maps->before) {
		maps__thaw(maps);
		maps__put(maps->before);
		maps->before = NULL;
	}
	maps->has_vdso |= map->dso->kind == DSO_VDSO;
}

size_t maps__nr(const struct maps *maps)
{
	return tree64__nr(&maps->tree);
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
	return tree64__at(&maps->tree, i);
}

const struct map *maps__next(const struct maps *maps, u64 addr)
{
	return tree64__above(&maps->tree, addr);
}

const struct map *maps__find(const struct maps *maps, u64 ip)
{
	const struct map *map = maps__next(maps, ip);

	return map && map->start <= ip ? map : NULL;
}

const struct map_change *maps__changes(struct maps *maps, u64 since, size_t *nr)
{
	*nr = maps->generation - since;
	maps->keeps_changes = true;
	return *nr <= maps->changes.nr ? maps->changes.v + maps->changes.nr - *nr : NULL;
}

static void maps__add(struct maps *maps, const struct map *map)
{
	(void)tree64__add(&maps->tree, map->end, (void *)(uintptr_t)map);
}

/* Notes that maps in or across [start, end) are about to change. */
static void maps__note_change(struct maps *maps, u64 start, u64 end)
{
	const struct map *first = maps__find(maps, start), *last = maps__find(maps, end - 1);

	maps->generation++;
	maps__thaw(maps);
	if (!maps->keeps_changes)
		return;
	/* Too many: users that have not asked since then have to read all maps again. */
	if (maps->changes.nr >= CHANGES_KEPT + maps__nr(maps) / 4)
		maps->changes.nr = 0;
	*vec__push(&maps->changes) = (struct map_change){
		.start = first ? first->start : start, .end = last ? last->end : end,
	};
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

/* Takes one map out of [start, end), or a part of one; false when there is none. */
static bool maps__cut_one(struct maps *maps, u64 start, u64 end)
{
	const struct map *old = maps__next(maps, start), *left = NULL, *right = NULL;

	if (!old || old->start >= end)
		return false;
	if (old->start < start)
		left = map__piece(old, maps->pool, old->start, start);
	if (old->end > end)
		right = map__piece(old, maps->pool, end, old->end);
	(void)tree64__del(&maps->tree, old->end);
	if (left)
		maps__add(maps, left);
	if (right)
		maps__add(maps, right);
	return !right;
}

void maps__remove(struct maps *maps, u64 start, u64 end)
{
	maps__note_change(maps, start, end);
	while (maps__cut_one(maps, start, end))
		;
}

const struct map *maps__insert(struct maps *maps, const struct map *map)
{
	const struct map *old = maps__next(maps, map->start);

	if (old && !memcmp(old, map, sizeof(*map))) {
		map = old; /* recorded twice: synthesized from /proc, and by the kernel */
	} else {
		map = map__new(maps->pool, map); /* first: it holds the dso */
		maps__remove(maps, map->start, map->end);
		maps__add(maps, map);
	}
	maps__note_progress(maps, map);
	return map;
}
