// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Between row tables, their caches, and where these are kept. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../core/hash.h"
#include "backend.h"
#include "../rows/rows-cache.h"

_Static_assert(UNWIND_ID_MAX == ROWS_ID_MAX, "they are the same");

#define NAME_SIZE (2 * ROWS_ID_MAX + 18)

static u64 mix(u64 hash, u64 v)
{
	return hash_mix(hash ^ v) + 1;
}

/*
 * Two files may have one build-id and other contents: when one is stripped, its sections are
 * elsewhere or gone. And rows are made of the sources in their order, and of a debug file that may
 * come and go.
 */
static u64 module__shape(const struct module *m, const struct unwind_sources *sources)
{
	const struct elf_image *img = &m->image;
	u64 h = mix(img->ehdr.e_machine, img->file.size);

	h = mix(mix(h, img->ehdr.e_entry), m->debug.file.size);
	for (size_t i = 0; i < img->loads.nr; i++) {
		const struct elf_load *l = &img->loads.v[i];

		h = mix(mix(mix(mix(h, l->offset), l->vaddr), l->filesz), l->exec);
	}
	for (u32 i = 0; i < sources->nr; i++)
		h = mix(h, sources->v[i]);
	return mix(h, sources->by_trust);
}

/* False: the module's rows are not kept. */
static bool unwinder__rows_key(struct unwinder *u, const struct module *m,
			       struct rows_cache_key *key, char *name)
{
	int len = 0;

	*key = (struct rows_cache_key){};
	if (u->store.load)
		key->id_size = u->store.id(u->store.ctx, m->id, key->id);
	if (!key->id_size)
		return false;
	key->maker = u->store.maker;
	key->shape = module__shape(m, &u->sources);
	for (u32 i = 0; i < key->id_size; i++)
		len += snprintf(name + len, NAME_SIZE - len, "%02x", key->id[i]);
	snprintf(name + len, NAME_SIZE - len, "-%016llx", (unsigned long long)key->shape);
	return true;
}

static void unwinder__tell(const struct unwinder *u, bool saving, const char *name,
			   const char *why)
{
	if (u->store.failed)
		u->store.failed(u->store.ctx, saving, name, why);
}

static struct rows_cache *unwinder__open_rows(struct unwinder *u, const char *name,
					      const struct rows_cache_key *key,
					      const struct rows *r)
{
	int fd = u->store.load(u->store.ctx, name);
	struct rows_cache *cache;
	const char *why;

	if (fd < 0) {
		if (fd != -ENOENT)
			unwinder__tell(u, false, name, strerror(-fd));
		return NULL;
	}
	cache = rows_cache__open(&u->env, fd, key, r, &why);
	if (!cache)
		unwinder__tell(u, false, name, why);
	close(fd);
	return cache;
}

void unwinder__keep_rows(struct unwinder *u, const struct unwind_store *store)
{
	u->store = *store;
}

void unwinder__load_rows(struct unwinder *u, const struct module *m, struct rows *r)
{
	struct rows_cache_key key;
	char name[NAME_SIZE];

	if (unwinder__rows_key(u, m, &key, name))
		rows__use_cache(r, unwinder__open_rows(u, name, &key, r));
}

/* The file is opened once more: another process may have added pages. */
static void unwinder__save(struct unwinder *u, const struct module *m, struct rows *r)
{
	struct rows_cache_key key;
	struct rows_cache *old;
	char name[NAME_SIZE];
	size_t size;
	void *data;
	int ret;

	if (!unwinder__rows_key(u, m, &key, name))
		return;
	old = unwinder__open_rows(u, name, &key, r);
	data = rows_cache__encode(old, r, &key, &size);
	ret = data ? u->store.save(u->store.ctx, name, data, size) : 0;
	if (ret)
		unwinder__tell(u, true, name, strerror(-ret));
	env__free(&u->env, data);
	rows_cache__close(old);
}

void unwinder__save_module(struct unwinder *u, struct unwind_module *um)
{
	struct rows *r = u->backend->module_rows ? u->backend->module_rows(um->private) : NULL;

	if (u->store.load && r && rows__has_compiled(r))
		unwinder__save(u, um->m, r);
}

void unwinder__save_rows(struct unwinder *u)
{
	struct unwind_module *um;

	for (size_t i = 0; (um = tree64__at(&u->modules, i)) != NULL; i++)
		unwinder__save_module(u, um);
}
