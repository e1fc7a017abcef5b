// SPDX-License-Identifier: GPL-2.0-only
#include "backend.h"

#include <stdlib.h>
#include <unistd.h>


static void unwinder__add_debug(struct unwinder *u, struct module *m)
{
	int fd = -ENOENT;

	if (!m->bad && u->open_debug)
		fd = u->open_debug(u->open_debug_ctx, m->id, &m->image);
	if (fd < 0)
		return;
	module__add_debug(m, fd);
	close(fd);
}


struct unwind_module *unwinder__module(struct unwinder *u, const struct unwind_mapping *map)
{
	struct unwind_module *um = map64__get(&u->modules, map->module);
	int fd;

	if (um && um->opened)
		return um;
	fd = u->open ? u->open(u->open_ctx, map->module) : -ENOENT;
	if (um && fd < 0)
		return um;
	if (um)
		module__free(um->m);
	else
		um = xzalloc(sizeof(*um));
	um->opened = fd >= 0;
	um->m = module__new(map->module, fd, u->arch->e_machine);
	unwinder__add_debug(u, um->m);
	map64__set(&u->modules, map->module, um);
	return um;
}


static void free_mapping(void *ctx __unused_arg, void *m)
{
	free(m);
}


struct unwind_space *unwind_space__new(struct unwinder *u)
{
	struct unwind_space *s = xzalloc(sizeof(*s));

	u->maps.put = free_mapping;
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
	free(s);
}


void unwind_space__add(struct unwind_space *s, const struct unwind_mapping *m)
{
	struct unwind_mapping *own;

	if (m->start >= m->end)
		return;
	unwind_space__remove(s, m->start, m->end);
	own = xzalloc(s->u->backend->map_size);
	*own = *m;
	tree64__add(&s->maps, m->end, own);
}


void unwind_space__remove(struct unwind_space *s, u64 start, u64 end)
{
	const struct unwind_mapping *m;

	while ((m = tree64__above(&s->maps, start)) != NULL && m->start < end)
		tree64__del(&s->maps, m->end);
	s->generation++;
}


void unwind_space__clear(struct unwind_space *s)
{
	tree64__free(&s->maps);
	s->generation++;
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
