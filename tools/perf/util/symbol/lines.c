// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>

#include "../base/log.h"
#include "lines-cache.h"
#include "lines.h"

#define THREADS_MAX 4 /* more hardly help: what is read must be found and printed by one */

struct lines {
	const struct binary_opts *opts;
	struct binaries *binaries;
	const struct dso *dso;
	const struct elf_image *image;
	struct dwarf_limits *limits;
	struct dwarf_file file;     /* with the debug information; its descriptor is closed again */
	struct elf_image debug;     /* its contents */
	struct elf_image alt;
	struct dwarf *dwarf;        /* NULL: not opened, or there is no debug information */
	struct lines_cache *cache;  /* NULL: nothing can be kept */
	bool found, opened;         /* .file was looked for; .dwarf was opened */
	void (*expect)(void *ctx, const struct dso *dso, struct lines *l);
	void *expect_ctx;
	bool is_incomplete;         /* another file has more, and may be there another time */
};

struct lines *lines__new(const struct binary_opts *opts, struct binaries *b,
			 const struct dso *dso, const struct elf_image *img,
			 struct dwarf_limits *limits)
{
	struct lines *l = xzalloc(sizeof(*l));

	l->opts = opts;
	l->file.fd = -ENOENT;
	l->binaries = b;
	l->dso = dso;
	l->image = img;
	l->limits = limits;
	return l;
}

void lines__free(struct lines *l)
{
	if (!l)
		return;
	if (l->dwarf)
		pr_debug2("%s: lines took %" PRIu64 " bytes of debug information\n", l->dso->path,
			  dwarf__work(l->dwarf));
	lines_cache__free(l->cache);
	dwarf__free(l->dwarf);
	dwarf_file__close(&l->file);
	elf_image__close(&l->alt);
	elf_image__close(&l->debug);
	free(l);
}

/* Opens the contents of a file that was found, or not. */
static int open_image(int err, struct dwarf_file *f, struct elf_image *img)
{
	err = err ?: elf_image__open(img, f->fd);
	dwarf_file__close(f);
	return err;
}

static int open_split_file(struct lines *l, u64 id, const char *comp_dir, const char *name,
			   struct dwarf_file *f)
{
	return dwarf_file__open_bundled_split(l->binaries, id, f) ?
	       dwarf_file__open_split(l->binaries, l->dso, comp_dir, name, f) : 0;
}

static int open_split(void *ctx, u64 id, const char *comp_dir, const char *name,
		      struct elf_image *img)
{
	struct lines *l = ctx;
	struct dwarf_file f;
	int err = open_split_file(l, id, comp_dir, name, &f);

	l->is_incomplete = true;
	return open_image(err, &f, img);
}

static int open_package(void *ctx, struct elf_image *img)
{
	struct lines *l = ctx;
	struct dwarf_file f;
	int err = dwarf_file__open_package(l->binaries, l->dso, &l->file, &f);

	l->is_incomplete = true;
	return open_image(err, &f, img);
}

void lines__on_read(struct lines *l, void (*expect)(void *ctx, const struct dso *dso,
						    struct lines *l), void *ctx)
{
	l->expect = expect;
	l->expect_ctx = ctx;
}

static void expect(void *ctx, struct dwarf *d)
{
	struct lines *l = ctx;

	if (l->expect)
		l->expect(l->expect_ctx, l->dso, l);
}

bool lines__expect(struct lines *l, u64 addr)
{
	struct dwarf_place place;

	return (l->cache && lines_cache__find(l->cache, addr, &place) >= 0) ||
	       dwarf__expect(l->dwarf, addr);
}

static u32 nr_threads(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : min_of(CPU_COUNT(&set), THREADS_MAX);
}

static void open_dwarf(struct lines *l)
{
	struct dwarf_files files = {
		.open_split = open_split, .open_package = open_package, .expect = expect,
		.threads = nr_threads(), .ctx = l,
	};
	struct dwarf_file alt;
	GElf_Shdr shdr;
	int err;

	l->opened = true;
	if (l->file.fd < 0 || elf_image__open(&l->debug, l->file.fd))
		return;
	err = dwarf_file__open_alt(l->binaries, &l->file, &l->debug, &alt);
	err = open_image(err, &alt, &l->alt);
	/* It may be installed later. One that is here stays the right one: it has a build-id. */
	if (err && elf_image__section(&l->debug, ".gnu_debugaltlink", 0, &shdr))
		l->is_incomplete = true;
	l->dwarf = dwarf__new(&l->debug, &l->alt, &files, l->limits);
	dwarf_file__close(&l->file);
}

void lines__take(struct lines *l, struct dwarf_file *f)
{
	l->found = true;
	l->file = *f;
	f->fd = -ENOENT;
	if (l->file.fd >= 0)
		l->cache = lines_cache__open(l->opts, l->file.fd);
}

static void find_file(struct lines *l)
{
	l->found = true;
	if (!dwarf_file__open(l->binaries, l->dso, l->image, &l->file))
		l->cache = lines_cache__open(l->opts, l->file.fd);
}

static bool keeps(const struct lines *l)
{
	return l->cache && !l->is_incomplete && !l->limits->spent;
}

bool lines__find(struct lines *l, u64 addr, struct dwarf_place *out)
{
	int kept = -ENOENT;
	bool found;

	if (!l->found)
		find_file(l);
	if (l->cache)
		kept = lines_cache__find(l->cache, addr, out);
	if (kept >= 0)
		return kept;
	if (!l->opened)
		open_dwarf(l);
	found = l->dwarf && dwarf__find(l->dwarf, addr, out);
	if (l->dwarf && keeps(l))
		lines_cache__add(l->cache, addr, found ? out : NULL);
	return found;
}

/* For what the cache does not know. */
static struct dwarf *opened_dwarf(struct lines *l)
{
	if (!l->found)
		find_file(l);
	if (!l->opened)
		open_dwarf(l);
	return l->dwarf;
}

bool lines__is_unoptimized(struct lines *l, u64 addr)
{
	struct dwarf *d = opened_dwarf(l);

	return d && producer__left_unoptimized(dwarf__producer(d, addr));
}

const char *lines__shown(const struct lines *l, const char *name)
{
	return l->cache ? lines_cache__shown(l->cache, name) : NULL;
}

void lines__keep_shown(struct lines *l, const char *name, const char *shown)
{
	if (keeps(l))
		lines_cache__add_shown(l->cache, name, shown);
}

/* What lines__each_split() was asked for. */
struct split_visit {
	struct lines *lines;
	bool (*visit)(void *ctx, u64 id, int fd);
	void *ctx;
};

static bool visit_split(void *ctx, u64 id, const char *comp_dir, const char *name)
{
	struct split_visit *v = ctx;
	struct dwarf_file f;
	bool go_on = true;

	if (!open_split_file(v->lines, id, comp_dir, name, &f))
		go_on = v->visit(v->ctx, id, f.fd);
	dwarf_file__close(&f);
	return go_on;
}

void lines__each_split(struct lines *l, bool (*visit)(void *ctx, u64 id, int fd), void *ctx)
{
	struct split_visit v = { .lines = l, .visit = visit, .ctx = ctx };

	if (!l->found)
		find_file(l);
	if (!l->opened)
		open_dwarf(l);
	if (l->dwarf)
		dwarf__each_split(l->dwarf, visit_split, &v);
}
