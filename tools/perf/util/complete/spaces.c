// SPDX-License-Identifier: GPL-2.0-only
#include "spaces.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../base/hash.h"
#include "vdso.h"

struct space {
	u32 id;             /* maps__id() */
	u64 generation;     /* maps__generation() that .space was filled from */
	u64 used;           /* when, in calls of spaces__get() */
	struct unwind_space *space;
};

struct spaces {
	struct unwinder *unwinder;
	struct machine *machine;
	struct symbols *symbols;
	struct map64 by_id; /* -> struct space */
	u64 now;
	int vdso_fd;        /* our own; -1: not made */
	bool same_kernel;   /* the recording was made by the running kernel of this machine */
};

static bool is_same_kernel(const struct recording *r, bool live)
{
	struct utsname u;

	if (live)
		return true;
	return r && r->osrelease && r->hostname && !uname(&u) && !strcmp(u.release, r->osrelease) &&
	       !strcmp(u.nodename, r->hostname);
}

/* Our own vdso stands for the recorded one when that is provably, or else very likely, the same. */
static int open_vdso(struct spaces *sp, const struct dso *dso)
{
	struct build_id id;

	if (sp->vdso_fd < 0)
		sp->vdso_fd = vdso__own_fd();
	if (sp->vdso_fd < 0)
		return sp->vdso_fd;
	if (!dso->build_id.size)
		return sp->same_kernel ? sp->vdso_fd : -ENOENT;
	if (build_id__read_fd(sp->vdso_fd, &id) || id.size != dso->build_id.size ||
	    memcmp(id.data, dso->build_id.data, id.size))
		return -ENOENT;
	return sp->vdso_fd;
}

static int open_module(void *ctx, u32 module)
{
	struct spaces *sp = ctx;
	const struct dso *dso = machine__dso(sp->machine, module);

	return dso->kind == DSO_VDSO ? open_vdso(sp, dso) : symbols__binary_fd(sp->symbols, dso);
}

struct spaces *spaces__new(struct unwinder *u, struct machine *machine, struct symbols *s,
			   const struct recording *recording, bool live)
{
	struct spaces *sp = xzalloc(sizeof(*sp));

	sp->unwinder = u;
	sp->machine = machine;
	sp->symbols = s;
	sp->vdso_fd = -1;
	sp->same_kernel = is_same_kernel(recording, live);
	unwinder__on_open(u, open_module, sp);
	return sp;
}

static void space__free(struct space *s)
{
	unwind_space__free(s->space);
	free(s);
}

void spaces__free(struct spaces *sp)
{
	if (!sp)
		return;
	map64__for_each(&sp->by_id, slot)
		space__free(slot->value);
	map64__free(&sp->by_id);
	if (sp->vdso_fd >= 0)
		close(sp->vdso_fd);
	free(sp);
}

static void space__fill(struct space *s, const struct maps *maps)
{
	unwind_space__clear(s->space);
	for (size_t i = 0; i < maps__nr(maps); i++) {
		const struct map *map = maps__at(maps, i);

		if (!(map->prot & PROT_EXEC) ||
		    (map->dso->kind != DSO_USER && map->dso->kind != DSO_VDSO))
			continue;
		unwind_space__add(s->space, &(struct unwind_mapping){
			.start = map->start, .end = map->end, .module = map->dso->id,
			.pgoff = map->dso->kind == DSO_VDSO ? 0 : map->pgoff,
		});
	}
	s->generation = maps__generation(maps);
}

/* Makes room: the space that was not used for longest goes. */
static void spaces__evict(struct spaces *sp)
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

struct unwind_space *spaces__get(struct spaces *sp, const struct thread *t)
{
	u32 id = maps__id(t->maps);
	struct space *s = map64__get(&sp->by_id, id);

	if (!s) {
		if (sp->by_id.nr >= SPACES_MAX)
			spaces__evict(sp);
		s = xzalloc(sizeof(*s));
		s->id = id;
		s->space = unwind_space__new(sp->unwinder);
		map64__set(&sp->by_id, id, s);
		space__fill(s, t->maps);
	} else if (s->generation != maps__generation(t->maps)) {
		space__fill(s, t->maps);
	}
	s->used = ++sp->now;
	return s->space;
}
