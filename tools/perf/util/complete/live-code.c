// SPDX-License-Identifier: GPL-2.0-only
#include "live-code.h"

#include <sys/mman.h>

#include "walk-queue.h"

#define PARTS_MAX 16  /* of code, that one chain goes through */
#define ROUNDS_MAX 8  /* each may come to code that was not known to be needed */

struct parts {
	struct unwind_mapping v[PARTS_MAX];
	const struct map *maps[PARTS_MAX]; /* of which each is a part */
	u32 nr;
};

static bool parts__have(const struct parts *p, u64 addr)
{
	for (u32 i = 0; i < p->nr; i++)
		if (addr - p->v[i].start < p->v[i].end - p->v[i].start)
			return true;
	return false;
}

/* Returns: the first of the parts in [@start, @end); NULL: there is none. */
static const struct unwind_mapping *parts__next(const struct parts *p, u64 start, u64 end)
{
	const struct unwind_mapping *next = NULL;

	for (u32 i = 0; i < p->nr; i++)
		if (p->v[i].start >= start && p->v[i].start < end &&
		    (!next || p->v[i].start < next->start))
			next = &p->v[i];
	return next;
}

static void put(struct unwind_space *space, u64 start, u64 end, const struct unwind_mapping *part)
{
	const struct unwind_mapping rest = { .start = start, .end = end, .module = UNWIND_NO_FILE };

	(void)unwind_space__add(space, part ?: &rest); /* out of memory, walks say so */
}

/* Puts @map into @space: with those of the @parts that lie in it, or, if NULL, as it was before. */
static void put_map(struct unwind_space *space, const struct map *map, const struct parts *parts)
{
	const struct unwind_mapping *part;
	u64 at = map->start;

	unwind_space__remove(space, map->start, map->end);
	while (parts && (part = parts__next(parts, at, map->end)) != NULL) {
		put(space, at, part->start, NULL);
		put(space, part->start, part->end, part);
		at = part->end;
	}
	put(space, at, map->end, NULL);
}

/* A stack that may be executed is no code for this. */
static const struct map *code_map(const struct thread *t, u64 sp, u64 addr)
{
	const struct map *map = maps__next(t->maps, addr);

	if (!map || map->start > addr || map->dso->kind != DSO_ANON || !(map->prot & PROT_EXEC))
		return NULL;
	return sp - map->start < map->end - map->start ? NULL : map;
}

/* Returns: whether there is something new; @ok: false when code is needed that is not known. */
static bool parts__add(struct parts *p, const struct live_code *l, const struct sample *s,
		       const struct thread *t, struct unwind_space *space, u64 sp,
		       const struct unwind_chain *chain, bool *ok)
{
	u32 had = p->nr;

	for (u32 i = 0; i < chain->nr; i++) {
		u64 addr = chain->ips[i] - !!i;
		const struct map *map = code_map(t, sp, addr);

		if (!map || parts__have(p, addr))
			continue;
		*ok = p->nr < PARTS_MAX && l->find(l->ctx, s, t, map, addr, &p->v[p->nr]);
		if (!*ok)
			return false;
		p->maps[p->nr++] = map;
		put_map(space, map, p);
	}
	return p->nr != had;
}

bool live_code__walk(const struct live_code *l, const struct sample *s, const struct thread *t,
		     struct unwinder *u, struct unwind_space *space, struct unwind_chain *chain)
{
	struct unwind_regs regs = sample__unwind_regs(s);
	u64 sp = unwinder__sp(u, &regs);
	struct parts p = {};
	enum unwind_stop stop = chain->stop;
	bool ok = true, sure;

	if (!l->find || chain->stop == UNWIND_OUTERMOST)
		return false;
	for (u32 i = 0; i < ROUNDS_MAX && chain->stop != UNWIND_OUTERMOST &&
	     parts__add(&p, l, s, t, space, sp, chain, &ok); i++)
		sample__walk(s, u, space, true, chain);
	ok = ok && p.nr && chain->stop == UNWIND_OUTERMOST && l->stood(l->ctx, s, &sure);
	for (u32 i = 0; i < p.nr; i++)
		put_map(space, p.maps[i], NULL);
	if (p.nr && !ok)
		sample__walk(s, u, space, true, chain);
	else if (p.nr && !sure)
		chain->stop = stop;
	return ok;
}
