// SPDX-License-Identifier: GPL-2.0-only
#include "address-spaces.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../base/fatal.h"
#include "../base/hash.h"
#include "../base/vec.h"

/*
 * Mappings of all spaces together, some 15 MB. The last ADDRESS_SPACES_MIN spaces are always kept:
 * if more processes are sampled in turns than are kept, all of their mappings are read again each
 * time.
 */
#define MAX_MAPPINGS (1U << 17)
#define SPACE_MAPPINGS 4 /* the memory of an empty space, in mappings */

/*
 * Even then the mappings that are read again have a limit: 0.5 s at first, and some 0.1 ms more
 * with each sample.
 */
#define MAX_CREDIT (1ULL << 22)
#define SAMPLE_CREDIT 1024

struct space {
	u32 id;             /* maps__id() */
	u64 generation;     /* maps__generation() that .space was filled from */
	struct space *older, *newer; /* in the list by last use */
	struct unwind_space *space;
};

struct address_spaces {
	struct unwinder *unwinder;
	struct machine *machine;
	struct binaries *binaries;
	const struct live_code *code;
	struct map64 by_id; /* -> struct space */
	struct space *oldest, *newest;
	u64 weight;         /* mappings, and SPACE_MAPPINGS for each space */
	u64 credit;         /* mappings that may still be read */
	VEC(struct map_change) changes; /* of the present update */
	u64 nr_looked_at;
};

static int open_module(void *ctx, u32 module)
{
	struct address_spaces *sp = ctx;

	if (module >= LIVE_CODE_FIRST)
		return sp->code ? sp->code->open(sp->code->ctx, module) : -ENOENT;
	return binaries__fd(sp->binaries, machine__dso(sp->machine, module));
}

static int open_debug(void *ctx, u32 module)
{
	struct address_spaces *sp = ctx;
	const struct elf_image *binary;
	const struct dso *dso;

	if (module >= LIVE_CODE_FIRST)
		return -ENOENT;
	binary = unwinder__image(sp->unwinder, module);
	dso = machine__dso(sp->machine, module);
	return dso->kind == DSO_USER ? binaries__open_debug(sp->binaries, dso, binary) : -ENOENT;
}

struct address_spaces *address_spaces__new(struct unwinder *u, struct machine *machine,
					   struct binaries *b, const struct live_code *code)
{
	struct address_spaces *sp = xzalloc(sizeof(*sp));

	sp->unwinder = u;
	sp->machine = machine;
	sp->binaries = b;
	sp->code = code;
	sp->credit = MAX_CREDIT;
	unwinder__on_open(u, open_module, sp);
	unwinder__on_open_debug(u, open_debug, sp);
	return sp;
}

static void space__free(struct space *s)
{
	unwind_space__free(s->space);
	free(s);
}

void address_spaces__free(struct address_spaces *sp)
{
	if (!sp)
		return;
	map64__for_each(&sp->by_id, slot)
		space__free(slot->value);
	map64__free(&sp->by_id);
	vec__free(&sp->changes);
	free(sp);
}

static void space__add(struct address_spaces *sp, struct space *s, const struct map *map)
{
	sp->nr_looked_at++;
	if (!(map->prot & PROT_EXEC) || (map->dso->kind != DSO_USER &&
	    map->dso->kind != DSO_VDSO && map->dso->kind != DSO_ANON &&
	    map->dso->kind != DSO_JIT))
		return;
	/* Out of memory, the space remembers that, and walks say it. */
	(void)unwind_space__add(s->space, &(struct unwind_mapping){
		.start = map->start, .end = map->end,
		.module = binaries__is_jit(sp->binaries, map->dso) ? UNWIND_NO_FILE : map->dso->id,
		.pgoff = map->dso->kind == DSO_VDSO ? 0 : map->pgoff,
	});
}

static void space__fill(struct address_spaces *sp, struct space *s, const struct maps *maps)
{
	unwind_space__clear(s->space);
	for (const struct map *m = maps__next(maps, 0); m; m = maps__next(maps, m->end))
		space__add(sp, s, m);
}

static int change__cmp(const void *a, const void *b)
{
	const struct map_change *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Sorts the ranges and joins those that overlap, so that no map is read twice. */
static size_t address_spaces__merge(struct address_spaces *sp, const struct map_change *changes,
				    size_t nr)
{
	struct map_change *v;
	size_t last = 0;

	vec__reserve(&sp->changes, nr);
	v = sp->changes.v;
	memcpy(v, changes, nr * sizeof(*v));
	qsort(v, nr, sizeof(*v), change__cmp);
	for (size_t i = 1; i < nr; i++) {
		if (v[i].start >= v[last].end)
			v[++last] = v[i];
		else
			v[last].end = max_of(v[last].end, v[i].end);
	}
	return last + 1;
}

static bool address_spaces__pay(struct address_spaces *sp, u64 nr)
{
	if (nr > sp->credit)
		return false;
	sp->credit -= nr;
	return true;
}

/*
 * Updates the space to the present maps, by the changes if these are known. Returns false when that
 * would take too long; the space is unchanged then.
 */
static bool space__update(struct address_spaces *sp, struct space *s, struct maps *maps)
{
	const struct map_change *changes;
	size_t nr;

	changes = maps__changes(maps, s->generation, &nr);
	if (!changes && !address_spaces__pay(sp, maps__nr(maps)))
		return false;
	s->generation = maps__generation(maps);
	if (!changes) {
		space__fill(sp, s, maps);
		return true;
	}
	nr = address_spaces__merge(sp, changes, nr);
	for (size_t i = 0; i < nr; i++) {
		const struct map_change *c = &sp->changes.v[i];

		unwind_space__remove(s->space, c->start, c->end);
		for (const struct map *m = maps__next(maps, c->start); m && m->start < c->end;
		     m = maps__next(maps, m->end))
			space__add(sp, s, m);
	}
	return true;
}

static u64 space__weight(const struct space *s)
{
	return SPACE_MAPPINGS + unwind_space__nr(s->space);
}

static void address_spaces__unlink(struct address_spaces *sp, struct space *s)
{
	*(s->older ? &s->older->newer : &sp->oldest) = s->newer;
	*(s->newer ? &s->newer->older : &sp->newest) = s->older;
	sp->weight -= space__weight(s);
}

static void address_spaces__link(struct address_spaces *sp, struct space *s)
{
	s->older = sp->newest;
	s->newer = NULL;
	*(s->older ? &s->older->newer : &sp->oldest) = s;
	sp->newest = s;
	sp->weight += space__weight(s);
}

static bool address_spaces__are_full(const struct address_spaces *sp)
{
	return sp->by_id.nr >= ADDRESS_SPACES_MIN && sp->weight >= MAX_MAPPINGS;
}

/* Makes room: frees the least recently used space. */
static void address_spaces__evict(struct address_spaces *sp)
{
	struct space *oldest = sp->oldest;

	address_spaces__unlink(sp, oldest);
	map64__del(&sp->by_id, oldest->id);
	space__free(oldest);
}

bool address_spaces__evicts(const struct address_spaces *sp, const struct thread *t)
{
	return address_spaces__are_full(sp) && !map64__get(&sp->by_id, maps__id(t->maps));
}

u64 address_spaces__nr_looked_at(const struct address_spaces *sp)
{
	return sp->nr_looked_at;
}

static struct space *address_spaces__add(struct address_spaces *sp, u32 id)
{
	struct space *s = xzalloc(sizeof(*s));

	while (address_spaces__are_full(sp))
		address_spaces__evict(sp);
	s->id = id;
	s->space = unwind_space__new(sp->unwinder);
	if (!s->space) /* ends as xmalloc() does */
		fatal__error(true, "out of memory (an address space of the unwinder)");
	s->generation = ~0ULL;
	map64__set(&sp->by_id, id, s);
	return s;
}

struct unwind_space *address_spaces__get(struct address_spaces *sp, const struct thread *t)
{
	u32 id = maps__id(t->maps);
	struct space *s = map64__get(&sp->by_id, id);
	bool updated = true;

	sp->credit = min_of(sp->credit + SAMPLE_CREDIT, MAX_CREDIT);
	if (s)
		address_spaces__unlink(sp, s);
	else
		s = address_spaces__add(sp, id);
	if (s->generation != maps__generation(t->maps))
		updated = space__update(sp, s, t->maps);
	address_spaces__link(sp, s);
	return updated ? s->space : NULL;
}
