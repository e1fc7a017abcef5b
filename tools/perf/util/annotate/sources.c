// SPDX-License-Identifier: GPL-2.0-only
#include "sources.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../base/hash.h"
#include "../base/vec.h"
#include "../io/regular-file.h"

#define FILE_MAX (16u << 20)
#define ALL_MAX (256u << 20)

struct source {
	char *text;      /* NULL: not there */
	VEC(u32) lines;  /* where each begins, and where the last one ends */
};

struct sources {
	const char *prefix;
	u32 strip;
	struct budget left;
	struct arena *names;
	struct map64 by_name; /* address of an interned name -> struct source */
};

struct sources *sources__new(const char *prefix, u32 strip)
{
	struct sources *s = xzalloc(sizeof(*s));

	s->prefix = prefix;
	s->strip = strip;
	s->left.left = ALL_MAX;
	s->names = arena__new();
	return s;
}

void sources__free(struct sources *s)
{
	if (!s)
		return;
	map64__for_each(&s->by_name, slot) {
		struct source *f = slot->value;

		free(f->text);
		vec__free(&f->lines);
		free(f);
	}
	map64__free(&s->by_name);
	arena__free(s->names);
	free(s);
}

/* Returns the name under which the file is looked for; false: it has no room. */
static bool place_of(const struct sources *s, const char *path, char *buf, size_t size)
{
	const char *rest = path, *next;
	int len;

	if (!s->prefix || *path != '/')
		return (size_t)snprintf(buf, size, "%s", path) < size;
	for (u32 i = 0; i < s->strip && (next = strchr(rest + 1, '/')); i++)
		rest = next;
	len = snprintf(buf, size, "%s%s", s->prefix, rest);
	return (size_t)len < size;
}

static void find_lines(struct source *f, size_t size)
{
	*vec__push(&f->lines) = 0;
	for (const char *p = f->text; (p = memchr(p, '\n', f->text + size - p)); p++)
		*vec__push(&f->lines) = p + 1 - f->text;
	if (f->lines.v[f->lines.nr - 1] < size)
		*vec__push(&f->lines) = size + 1;
}

static struct source *read_source(struct sources *s, const char *path)
{
	struct source *f = xzalloc(sizeof(*f));
	char name[PATH_MAX];
	struct stat st;
	ssize_t n = -1;
	int fd;

	if (!place_of(s, path, name, sizeof(name)))
		return f;
	fd = regular_file__open(name);
	if (fd < 0)
		return f;
	if (!fstat(fd, &st) && st.st_size <= FILE_MAX && budget__take(&s->left, st.st_size)) {
		f->text = xmalloc(st.st_size + 1);
		n = pread(fd, f->text, st.st_size, 0);
	}
	close(fd);
	if (n >= 0)
		find_lines(f, n);
	return f;
}

const char *sources__line(struct sources *s, const char *path, u32 line, size_t *len)
{
	u64 key = (uintptr_t)arena__intern(s->names, path);
	struct source *f = map64__get(&s->by_name, key);

	if (!f) {
		f = read_source(s, path);
		map64__set(&s->by_name, key, f);
	}
	if (!line || line >= f->lines.nr)
		return NULL;
	*len = f->lines.v[line] - f->lines.v[line - 1] - 1;
	return f->text + f->lines.v[line - 1];
}
