// SPDX-License-Identifier: GPL-2.0-only
/* perf buildid-cache: what is in the build-id cache, and what goes in and out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-build-ids.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/binary/build-id.h"
#include "util/binary/id-cache.h"
#include "util/cli/debug-servers.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/text/textbuf.h"

struct cache_cmd {
	const char *add, *update, *remove, *purge, *missing;
	bool list, purge_all, force;
	unsigned int target_ns;
	int verbose;
	char root[32]; /* /proc/PID/root of --target-ns, or "" */
	struct symbols_opts symbols;
	struct debug_servers servers;
	const char *urls; /* of --debuginfod; NULL: servers are not asked */
	struct id_cache cache;
	int status;
};

static const char *const cache_usage[] = { "perf buildid-cache [<options>]", NULL };

/* Calls @fn for each file of a list with commas. */
static void for_each_file(struct cache_cmd *c, const char *list,
			  int (*fn)(struct cache_cmd *c, const char *file, struct error *err))
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

/* The name of a file in the cache, and a dso that stands for it. */
struct named_file {
	char path[PATH_MAX];
	struct dso dso;
};

/* @b: finds it below the root of --target-ns. The build-id becomes the dso's. */
static int name_file(struct cache_cmd *c, struct binaries *b, const char *file,
		     struct named_file *f, struct error *err)
{
	int fd, ret;

	snprintf(f->path, sizeof(f->path), "%s", file);
	if (!c->root[0] && !realpath(file, f->path))
		return error__set(err, -errno, "%s: %s", file, strerror(errno));
	f->dso = (struct dso){
		.kind = DSO_USER, .name = f->path, .path = f->path, .short_name = f->path,
		.pid = NO_ID,
	};
	fd = binaries__fd(b, &f->dso);
	if (fd < 0)
		return error__set(err, fd, "%s: %s", file,
				  fd == -EINVAL ? "it is not a regular file" : strerror(-fd));
	ret = build_id__read_fd(fd, &f->dso.build_id);
	if (ret)
		return error__set(err, ret, "%s %s", file, ret == -ENOENT ? "has no build-id" :
				  "is not an ELF file");
	return 0;
}

/* Calls @fn with the binary of @file. */
static int with_file(struct cache_cmd *c, const char *file, struct error *err,
		     int (*fn)(struct cache_cmd *c, struct binaries *b, const struct dso *dso,
			       struct error *err))
{
	struct machine *m = machine__new(&(struct machine_opts){});
	struct binaries *b = binaries__new(&c->symbols.binary, m);
	struct named_file f;
	int ret = name_file(c, b, file, &f, err);

	if (!ret)
		ret = fn(c, b, &f.dso, err);
	binaries__free(b);
	machine__free(m);
	return ret;
}

static int add_how(struct cache_cmd *c, struct binaries *b, const struct dso *dso,
		   enum id_cache_add how, struct error *err)
{
	int ret = id_cache__add_dso(&c->cache, b, dso, &dso->build_id, how);
	char hex[2 * BUILD_ID_MAX + 1];

	build_id__format(&dso->build_id, hex, sizeof(hex));
	if (!ret || ret == -EEXIST) {
		pr_debug("%s %s %s\n", hex, dso->path,
			 ret ? "is in the cache already" : "was added");
		return 0;
	}
	return error__set(err, ret, "%s cannot be added to %s: %s", dso->path, c->cache.dir,
			  strerror(-ret));
}

static int add_dso(struct cache_cmd *c, struct binaries *b, const struct dso *dso,
		   struct error *err)
{
	return add_how(c, b, dso, ID_CACHE_ADD, err);
}

static int update_dso(struct cache_cmd *c, struct binaries *b, const struct dso *dso,
		      struct error *err)
{
	return add_how(c, b, dso, ID_CACHE_REPLACE, err);
}

static int add(struct cache_cmd *c, const char *file, struct error *err)
{
	return with_file(c, file, err, add_dso);
}

static int update(struct cache_cmd *c, const char *file, struct error *err)
{
	return with_file(c, file, err, update_dso);
}

static int remove_id(struct cache_cmd *c, const struct build_id *id, const char *name,
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

static int remove_dso(struct cache_cmd *c, struct binaries *b, const struct dso *dso,
		      struct error *err)
{
	return remove_id(c, &dso->build_id, dso->path, err);
}

static int remove_file(struct cache_cmd *c, const char *file, struct error *err)
{
	return with_file(c, file, err, remove_dso);
}

/* Removes the builds of @name, or of everything. Returns how many there were, or -errno. */
static int purge_named(struct cache_cmd *c, const char *name, struct error *err)
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

static int purge(struct cache_cmd *c, const char *file, struct error *err)
{
	char path[PATH_MAX];
	int ret;

	/* A file that is gone is named as the list names it. */
	if (c->root[0] || !realpath(file, path))
		snprintf(path, sizeof(path), "%s", file);
	ret = purge_named(c, path, err);
	return ret ? min_of(ret, 0) : error__set(err, -ENOENT, "%s is not in the cache", path);
}

static int list(struct cache_cmd *c, struct error *err)
{
	char hex[2 * BUILD_ID_MAX + 1];
	struct id_cache_list list;
	struct textbuf out;
	int ret = id_cache__list(&c->symbols.binary, &list, err);

	if (ret)
		return ret;
	pager__textbuf(&out);
	for (size_t i = 0; i < list.entries.nr; i++) {
		build_id__format(&list.entries.v[i].id, hex, sizeof(hex));
		textbuf__printf(&out, "%s ", hex);
		textbuf__puts(&out, list.entries.v[i].name);
		textbuf__puts(&out, "\n");
	}
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
	char path[PATH_MAX], hex[2 * BUILD_ID_MAX + 1];

	if (!id->size)
		return;
	if (!build_id_cache__path(m->opts, id, "", path, sizeof(path)) && !access(path, F_OK))
		return;
	build_id__format(id, hex, sizeof(hex));
	textbuf__printf(&m->out, "%s ", hex);
	textbuf__puts(&m->out, item->name);
	textbuf__puts(&m->out, "\n");
}

static int list_missing(struct cache_cmd *c, struct error *err)
{
	struct missing m = { .opts = &c->symbols.binary };
	int ret;

	pager__textbuf(&m.out);
	ret = build_ids__visit(c->missing, c->force, BUILD_IDS_HITS, &c->symbols, print_missing,
			       &m, err);
	textbuf__flush(&m.out);
	textbuf__free(&m.out);
	return ret;
}

static void change(struct cache_cmd *c)
{
	struct error err = {};
	int ret = id_cache__open(&c->cache, &c->symbols.binary, &err);

	if (ret) {
		pr_err("%s\n", err.text);
		c->status = 1;
		return;
	}
	for_each_file(c, c->add, add);
	for_each_file(c, c->update, update);
	for_each_file(c, c->remove, remove_file);
	for_each_file(c, c->purge, purge);
	if (c->purge_all && purge_named(c, NULL, &err) < 0) {
		pr_err("%s\n", err.text);
		c->status = 1;
	}
	id_cache__close(&c->cache);
}

static void look(struct cache_cmd *c, int (*fn)(struct cache_cmd *c, struct error *err))
{
	struct error err = {};

	if (fn(c, &err)) {
		pr_err("%s\n", err.text);
		c->status = 1;
	}
}

int cmd_buildid_cache(int argc, const char **argv)
{
	struct cache_cmd c = {};
	const struct option options[] = {
		OPT_STRING('a', "add", &c.add, "files", "add these files"),
		OPT_STRING('u', "update", &c.update, "files",
			   "add these files, also in place of what has their build-id"),
		OPT_STRING('r', "remove", &c.remove, "files",
			   "remove what has the build-ids of these files"),
		OPT_STRING('p', "purge", &c.purge, "files",
			   "remove all builds of these files, which need not exist any more"),
		OPT_BOOL('P', "purge-all", &c.purge_all, "remove all files"),
		OPT_BOOL('l', "list", &c.list, "list what is in the cache"),
		OPT_STRING('M', "missing", &c.missing, "recording",
			   "list binaries that samples of this recording hit and that are not in "
			   "the cache"),
		OPT_BOOL('f', "force", &c.force, "read recordings that belong to other users"),
		OPT_UINT(0, "target-ns", &c.target_ns, "pid",
			 "files are those that this process sees"),
		{ .type = OPTION_STRING, .long_name = "debuginfod", .value = &c.urls,
		  .argh = "urls", .flags = OPT_OPTARG, .defval = "",
		  .help = "load debug files from these servers, or those of DEBUGINFOD_URLS" },
		OPT_INCR('v', "verbose", &c.verbose, "say what was done"),
		OPT_REFUSED('k', "kcore", "nothing of this perf reads copies of kcore"),
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, cache_usage, 0);
	if (argc)
		usage__die(options, cache_usage, "unexpected argument '%s': name files with -a, "
			   "-u, -r or -p", argv[0]);
	if (!c.add && !c.update && !c.remove && !c.purge && !c.purge_all && !c.list && !c.missing)
		usage__die(options, cache_usage, "nothing to do: -a adds files, -l lists them");
	log__set_level(c.verbose);
	if (c.target_ns) {
		snprintf(c.root, sizeof(c.root), "/proc/%u/root", c.target_ns);
		c.symbols.binary.symfs = c.root;
	}
	if (c.urls)
		debug_servers__use(&c.servers, &c.symbols.binary);
	if (c.urls && *c.urls)
		setenv("DEBUGINFOD_URLS", c.urls, 1);
	if (c.add || c.update || c.remove || c.purge || c.purge_all)
		change(&c);
	if (c.list)
		look(&c, list);
	if (c.missing)
		look(&c, list_missing);
	return c.status;
}
