// SPDX-License-Identifier: GPL-2.0-only
#include "cache-text.h"

#include <string.h>
#include <unistd.h>

#include "../elf/elf-file.h"
#include "../io/private-dir.h"
#include "../../../lib/unwind/rows/rows-cache.h"

struct listing {
	struct textbuf *tb;
	int dir;
	u32 files, unusable;
	u64 bytes;
};

/* Reads a file. Returns NULL, or why it cannot be used. */
static const char *listing__read(const struct listing *l, const char *name,
				 struct rows_cache_state *state)
{
	int fd = private_dir__load(l->dir, name);
	struct rows_cache *cache;
	const char *why;

	if (fd < 0)
		return strerror(-fd);
	cache = rows_cache__open(&perf_env, fd, NULL, NULL, &why);
	close(fd);
	if (!cache)
		return why;
	*state = rows_cache__verify(cache);
	rows_cache__close(cache);
	return state->broken ? "damaged" : NULL;
}

static int listing__file(void *ctx, const char *name, const struct stat *st)
{
	struct rows_cache_state state = {};
	struct listing *l = ctx;
	const char *why = listing__read(l, name, &state);

	l->files++;
	l->unusable += why != NULL;
	l->bytes += st->st_size;
	textbuf__printf(l->tb, "%9llu %7u %9llu  %s%s%s\n", (unsigned long long)st->st_size >> 10,
			state.pages, (unsigned long long)state.rows, name, why ? ": " : "",
			why ?: "");
	return l->tb->error;
}

int cache_text__list(struct textbuf *tb, int dir, struct error *err)
{
	struct listing l = { .tb = tb, .dir = dir };
	int ret;

	textbuf__printf(tb, "%9s %7s %9s  %s\n", "kB", "pages", "rows", "build-id and key of the "
			"sources");
	ret = private_dir__for_each(dir, listing__file, &l);
	if (ret)
		return error__set(err, ret, "cannot read the directory: %s", strerror(-ret));
	textbuf__printf(tb, "%9llu in %u files\n", (unsigned long long)l.bytes >> 10, l.files);
	if (!l.unusable)
		return 0;
	return error__set(err, -EBADMSG, "%u of %u files cannot be used; they will be rebuilt when "
			  "needed",
			  l.unusable, l.files);
}

struct clearing {
	int dir;
	u32 files;
	u64 bytes;
};

static int clearing__file(void *ctx, const char *name, const struct stat *st)
{
	struct clearing *c = ctx;
	int ret = private_dir__remove(c->dir, name);

	c->files += !ret;
	c->bytes += ret ? 0 : st->st_size;
	return ret == -ENOENT ? 0 : ret;
}

int cache_text__clear(struct textbuf *tb, int dir, struct error *err)
{
	struct clearing c = { .dir = dir };
	int ret = private_dir__for_each(dir, clearing__file, &c);

	textbuf__printf(tb, "%u files of %llu kB removed\n", c.files,
			(unsigned long long)c.bytes >> 10);
	return ret ? error__set(err, ret, "cannot remove a file: %s", strerror(-ret)) : 0;
}
