// SPDX-License-Identifier: GPL-2.0-only
#include "cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/log.h"
#include "../binary/build-id.h"
#include "../binary/id-cache.h"
#include "../cli/debug-servers.h"
#include "../cli/pager.h"
#include "../cli/reader-confine.h"
#include "../cli/reader-privileges.h"
#include "binary-apart.h"
#include "build-ids.h"

struct buildid_cache {
	const struct buildid_cache_opts *opts;
	char root[32]; /* /proc/PID/root of --target-ns, or "" */
	struct symbols_opts symbols; /* of .opts, with that and the servers */
	struct id_cache cache;
	int status;
};

/* Calls @fn for each file of a list with commas. */
static void for_each_file(struct buildid_cache *c, const char *list,
			  int (*fn)(struct buildid_cache *c, const char *file, struct error *err))
{
	char *copy = list ? xstrdup(list) : NULL, *next = copy, *file;
	struct error err = {};

	while (next && (file = strsep(&next, ","))) {
		if (!*file || !fn(c, file, &err))
			continue;
		pr_err("%s\n", err.text);
		c->status = 1;
	}
	free(copy);
}

static int add_how(struct buildid_cache *c, const char *file, enum id_cache_add how,
		   struct error *err)
{
	char hex[2 * BUILD_ID_MAX + 1];
	struct binary_apart f;
	int ret = binary_apart__read(&f, file, &c->symbols, err);

	if (!ret) {
		ret = id_cache__add(&c->cache, f.path, &f.id, "elf", f.fd, how);
		if (!ret && f.debug >= 0)
			id_cache__add(&c->cache, f.path, &f.id, "debug", f.debug, how);
		build_id__format(&f.id, hex, sizeof(hex));
		if (!ret || ret == -EEXIST)
			pr_debug("%s %s %s\n", hex, f.path,
				 ret ? "is in the cache already" : "was added");
		else
			error__set(err, ret, "%s cannot be added to %s: %s", f.path, c->cache.dir,
				   strerror(-ret));
	}
	binary_apart__close(&f);
	return ret == -EEXIST ? 0 : ret;
}

static int add(struct buildid_cache *c, const char *file, struct error *err)
{
	return add_how(c, file, ID_CACHE_ADD, err);
}

static int update(struct buildid_cache *c, const char *file, struct error *err)
{
	return add_how(c, file, ID_CACHE_REPLACE, err);
}

static int remove_id(struct buildid_cache *c, const struct build_id *id, const char *name,
		     struct error *err)
{
	char hex[2 * BUILD_ID_MAX + 1];
	int ret = id_cache__remove(&c->cache, id);

	build_id__format(id, hex, sizeof(hex));
	if (!ret)
		pr_debug("%s %s was removed\n", hex, name);
	return !ret ? 0 : error__set(err, ret, "%s %s cannot be removed: %s", hex, name,
				     ret == -ENOENT ? "it is not in the cache" : strerror(-ret));
}

static int remove_file(struct buildid_cache *c, const char *file, struct error *err)
{
	struct binary_apart f;
	int ret = binary_apart__read(&f, file, &c->symbols, err);

	binary_apart__close(&f);
	return ret ? ret : remove_id(c, &f.id, f.path, err);
}

/* Removes the builds of @name, or of everything. Returns how many there were, or -errno. */
static int purge_named(struct buildid_cache *c, const char *name, struct error *err)
{
	struct id_cache_list list;
	int ret = id_cache__list(&c->symbols.binary, &list, err), nr = 0;

	for (size_t i = 0; i < list.entries.nr && !ret; i++) {
		const struct id_cache_entry *e = &list.entries.v[i];

		if (name && strcmp(e->name, name))
			continue;
		ret = remove_id(c, &e->id, e->name, err);
		nr++;
	}
	id_cache_list__free(&list);
	return ret ? ret : nr;
}

static int purge(struct buildid_cache *c, const char *file, struct error *err)
{
	char path[PATH_MAX];
	int ret;

	/* A file that is gone is named as the list names it. */
	if (c->root[0] || !realpath(file, path))
		snprintf(path, sizeof(path), "%s", file);
	ret = purge_named(c, path, err);
	return ret ? min_of(ret, 0) : error__set(err, -ENOENT, "%s is not in the cache", path);
}

static int list(struct buildid_cache *c, struct error *err)
{
	struct id_cache_list list;
	struct textbuf out;
	int ret = id_cache__list(&c->symbols.binary, &list, err);

	if (ret)
		return ret;
	pager__textbuf(&out);
	for (size_t i = 0; i < list.entries.nr; i++)
		build_ids__put(&out, &list.entries.v[i].id, list.entries.v[i].name);
	textbuf__flush(&out);
	textbuf__free(&out);
	id_cache_list__free(&list);
	return 0;
}

struct missing {
	struct textbuf out;
	const struct binary_opts *opts;
};

static void print_missing(void *ctx, const struct build_ids_item *item)
{
	const struct build_id *id = item->id;
	struct missing *m = ctx;
	char path[PATH_MAX];
	struct stat st;

	if (!id->size)
		return;
	if (!build_id_cache__path(m->opts, id, "", path, sizeof(path)) && !stat(path, &st))
		return;
	build_ids__put(&m->out, id, item->name);
}

static int list_missing(struct buildid_cache *c, struct error *err)
{
	struct missing m = { .opts = &c->symbols.binary };
	int ret;

	pager__start();
	reader__confine(&(struct reader_names){ .input = c->opts->missing }, &c->symbols);
	pager__textbuf(&m.out);
	ret = build_ids__visit(c->opts->missing, c->opts->force, BUILD_IDS_HITS, &c->symbols,
			       print_missing, &m, err);
	textbuf__flush(&m.out);
	textbuf__free(&m.out);
	return ret;
}

static void change(struct buildid_cache *c)
{
	struct error err = {};
	int ret = id_cache__open(&c->cache, &c->symbols.binary, &err);

	if (ret) {
		pr_err("%s\n", err.text);
		c->status = 1;
		return;
	}
	for_each_file(c, c->opts->add, add);
	for_each_file(c, c->opts->update, update);
	for_each_file(c, c->opts->remove, remove_file);
	for_each_file(c, c->opts->purge, purge);
	if (c->opts->purge_all && purge_named(c, NULL, &err) < 0) {
		pr_err("%s\n", err.text);
		c->status = 1;
	}
	id_cache__close(&c->cache);
}

static void look(struct buildid_cache *c, int (*fn)(struct buildid_cache *c, struct error *err))
{
	struct error err = {};

	if (fn(c, &err)) {
		pr_err("%s\n", err.text);
		c->status = 1;
	}
}

/* Before a file is opened, or a recording: what is added to the cache is its owner's to read. */
static void drop_privileges(const struct buildid_cache *c)
{
	char dir[PATH_MAX], *output = dir;

	if (build_id_cache__dir(&c->symbols.binary, dir, sizeof(dir)))
		output = NULL;
	if (c->opts->target_ns)
		reader__drop_privileges_but_looking(output);
	else
		reader__drop_privileges(output);
}

int buildid_cache__run(const struct buildid_cache_opts *opts)
{
	struct buildid_cache c = { .opts = opts, .symbols = opts->symbols };
	struct debug_servers servers;

	if (opts->target_ns) {
		snprintf(c.root, sizeof(c.root), "/proc/%u/root", opts->target_ns);
		c.symbols.binary.symfs = c.root;
	}
	if (opts->urls && *opts->urls)
		setenv("DEBUGINFOD_URLS", opts->urls, 1);
	if (opts->urls)
		debug_servers__use(&servers, &c.symbols.binary);
	drop_privileges(&c);
	if (opts->add || opts->update || opts->remove || opts->purge || opts->purge_all)
		change(&c);
	if (opts->list)
		look(&c, list);
	if (opts->missing)
		look(&c, list_missing);
	return c.status;
}
