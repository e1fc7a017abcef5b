// SPDX-License-Identifier: GPL-2.0-only
#include "address-spaces.h"

#include <sys/mman.h>

#include "../base/hash.h"

struct space {
	u32 id;             /* maps__id() */
	u64 generation;     /* maps__generation() that .space was filled from */
	u64 used;           /* when, in calls of address_spaces__get() */
	struct unwind_space *space;
};

struct address_spaces {
	struct unwinder *unwinder;
	struct machine *machine;
	struct symbols *symbols;
	struct map64 by_id; /* -> struct space */
	u64 now;
};

static int open_module(void *ctx, u32 module)
{
	struct address_spaces *sp = ctx;

	return symbols__binary_fd(sp->symbols, machine__dso(sp->machine, module));
}

static int open_debug(void *ctx, u32 module, const struct elf_image *binary)
{
	struct address_spaces *sp = ctx;
	const struct dso *dso = machine__dso(sp->machine, module);

	return dso->kind == DSO_USER ? symbols__open_debug(sp->symbols, dso, binary) : -ENOENT;
}

struct address_spaces *address_spaces__new(struct unwinder *u, struct machine *machine,
					   struct symbols *s)
{
	struct address_spaces *sp = xzalloc(sizeof(*sp));

	sp->unwinder = u;
	sp->machine = machine;
	sp->symbols = s;
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
	free(sp);
}

static void space__fill(struct address_spaces *sp, struct space *s, const struct maps *maps)
{
	unwind_space__clear(s->space);
	for (size_t i = 0; i < maps__nr(maps); i++) {
		const struct map *map = maps__at(maps, i);

		if (!(map->prot & PROT_EXEC) || (map->dso->kind != DSO_USER &&
		    map->dso->kind != DSO_VDSO && map->dso->kind != DSO_ANON))
			continue;
		unwind_space__add(s->space, &(struct unwind_mapping){
			.start = map->start, .end = map->end,
			.module = symbols__is_jit(sp->symbols, map->dso) ? UNWIND_NO_FILE :
									   map->dso->id,
			.pgoff = map->dso->kind == DSO_VDSO ? 0 : map->pgoff,
		});
	}
	s->generation = maps__generation(maps);
	unwind_space__settle(s->space);
}

/* Makes room: the space that was not used for longest goes. */
static void address_spaces__evict(struct address_spaces *sp)
{
	struct space *oldest = NULL;

	map64__for_each(&sp->by_id, slot) {
		struct space *s = slot->value;

		if (!oldest || s->used < oldest->used)
			oldest = s;
	}
	map64__del(&sp->by_id, oldest->id);
	space__free(oldest);
}

bool address_spaces__evicts(const struct address_spaces *sp, const struct thread *t)
{
	return sp->by_id.nr >= ADDRESS_SPACES_MAX && !map64__get(&sp->by_id, maps__id(t->maps));
}

struct unwind_space *address_spaces__get(struct address_spaces *sp, const struct thread *t)
{
	u32 id = maps__id(t->maps);
	struct space *s = map64__get(&sp->by_id, id);

	if (!s) {
		if (sp->by_id.nr >= ADDRESS_SPACES_MAX)
			address_spaces__evict(sp);
		s = xzalloc(sizeof(*s));
		s->id = id;
		s->space = unwind_space__new(sp->unwinder);
		map64__set(&sp->by_id, id, s);
		space__fill(sp, s, t->maps);
	} else if (s->generation != maps__generation(t->maps)) {
		space__fill(sp, s, t->maps);
	}
	s->used = ++sp->now;
	return s->space;
}
