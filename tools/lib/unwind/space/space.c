// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* The mappings of address spaces, and the modules behind them. */
#include <unistd.h>

#include "backend.h"

static void unwinder__add_debug(struct unwinder *u, struct module *m)
{
	int fd = -ENOENT;

	if (!m->bad && u->open_debug)
		fd = u->open_debug(u->open_debug_ctx, m->id);
	if (fd < 0)
		return;
	module__add_debug(m, fd);
	close(fd);
}

static struct unwind_module *unwinder__find(const struct unwinder *u, u32 module)
{
	struct unwind_module *um = tree64__above(&u->modules, module);

	return um && um->m->id == module ? um : NULL;
}

const struct elf_image *unwinder__image(const struct unwinder *u, u32 module)
{
	const struct unwind_module *um = unwinder__find(u, module);

	return um ? &um->m->image : NULL;
}

/* One that is new, with what it needs. NULL: out of memory. */
static struct unwind_module *unwinder__add_module(struct unwinder *u, struct module *m)
{
	struct unwind_module *um = env__zalloc(&u->env, sizeof(*um));

	if (!um)
		return NULL;
	um->m = m;
	if (!tree64__add(&u->modules, (u64)m->id + 1, um))
		return um;
	env__free(&u->env, um);
	return NULL;
}

struct unwind_module *unwinder__module(struct unwinder *u, const struct unwind_mapping *map)
{
	struct unwind_module *um = unwinder__find(u, map->module);
	struct module *m;
	int fd;

	if (um && um->opened)
		return um;
	fd = u->open ? u->open(u->open_ctx, map->module) : -ENOENT;
	if (um && fd < 0)
		return um;
	m = module__new(&u->env, map->module, fd, u->arch->e_machine);
	if (um && m) {
		module__free(um->m);
		um->m = m;
	} else if (m) {
		um = unwinder__add_module(u, m);
	}
	if (!um || !m) {
		module__free(m);
		return NULL;
	}
	um->opened = fd >= 0 && !m->no_memory;
	unwinder__add_debug(u, m);
	return um;
}

static void free_mapping(void *ctx, void *m)
{
	env__free(ctx, m);
}

struct unwind_space *unwind_space__new(struct unwinder *u)
{
	struct unwind_space *s = env__zalloc(&u->env, sizeof(*s));

	if (!s)
		return NULL;
	u->maps.env = &u->env;
	u->maps.put = free_mapping;
	u->maps.ctx = &u->env;
	s->u = u;
	s->maps.ops = &u->maps;
	s->generation = 1;
	return s;
}

void unwind_space__free(struct unwind_space *s)
{
	if (!s)
		return;
	if (s->u->backend->space_exit)
		s->u->backend->space_exit(s);
	tree64__free(&s->maps);
	env__free(&s->u->env, s);
}

int unwind_space__add(struct unwind_space *s, const struct unwind_mapping *m)
{
	struct unwind_mapping *own;

	if (m->start >= m->end)
		return 0;
	unwind_space__remove(s, m->start, m->end);
	own = env__zalloc(&s->u->env, s->u->backend->map_size);
	if (own)
		*own = *m;
	if (own && !tree64__add(&s->maps, m->end, own))
		return 0;
	env__free(&s->u->env, own);
	s->incomplete = true;
	return -ENOMEM;
}

/* These trees are never copied, so that nothing is allocated to take something out of them. */
void unwind_space__remove(struct unwind_space *s, u64 start, u64 end)
{
	const struct unwind_mapping *m;

	while ((m = tree64__above(&s->maps, start)) != NULL && m->start < end)
		(void)tree64__del(&s->maps, m->end);
	s->generation++;
}

void unwind_space__clear(struct unwind_space *s)
{
	tree64__free(&s->maps);
	s->incomplete = false;
	s->generation++;
}

int unwind_space__prepare(struct unwind_space *s, u64 start, u64 end)
{
	struct unwind_mapping *m;
	u64 failures = env__failures(&s->u->env);
	int ret = 0;

	if (!s->u->backend->prepare)
		return 0;
	for (u64 at = start; (m = tree64__above(&s->maps, at)) != NULL && m->start < end;
	     at = m->end)
		ret = s->u->backend->prepare(s, m) ?: ret;
	return failures == env__failures(&s->u->env) ? ret : -ENOMEM;
}

size_t unwind_space__nr(const struct unwind_space *s)
{
	return tree64__nr(&s->maps);
}

struct unwind_mapping *unwind_space__find(const struct unwind_space *s, u64 pc)
{
	struct unwind_mapping *m = tree64__above(&s->maps, pc);

	return m && m->start <= pc ? m : NULL;
}
