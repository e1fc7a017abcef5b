// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kallsyms.h"

#define MAX_FILE (1UL << 30)

/* Files of /proc tell no size and cannot be mapped. The result ends in a NUL. */
static int read_all(const char *path, char **out, size_t *len)
{
	VEC(char) buf = {};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err = 0;
	ssize_t n = 1;

	if (fd < 0)
		return -errno;
	while (n > 0 && buf.nr < MAX_FILE) {
		vec__reserve(&buf, buf.nr + (1 << 16) + 1);
		n = read(fd, buf.v + buf.nr, buf.max - buf.nr - 1);
		if (n < 0)
			err = -errno;
		else
			buf.nr += n;
	}
	close(fd);
	if (err) {
		vec__free(&buf);
		return err;
	}
	buf.v[buf.nr] = '\0';
	*out = buf.v;
	*len = buf.nr;
	return 0;
}

static struct symtab *kallsyms__findnew_module(struct kallsyms *k, const char *name)
{
	const char *key = arena__intern(k->arena, name);
	struct symtab *t = map64__get(&k->modules, (uintptr_t)key);

	if (!t) {
		t = xzalloc(sizeof(*t));
		map64__set(&k->modules, (uintptr_t)key, t);
	}
	return t;
}

static u8 type_rank(char type)
{
	if (type == 'W')
		return SYMBOL_WEAK;
	return isupper((unsigned char)type) ? SYMBOL_GLOBAL : SYMBOL_LOCAL;
}

/* "ffffffff81000000 T _text" or "ffffffffc0000000 t ext4_foo\t[ext4]". Writes NULs into it. */
static void kallsyms__add_line(struct kallsyms *k, char *line)
{
	struct raw_symbol sym = {};
	struct symtab *t = &k->kernel;
	char *end, *module, type;

	sym.start = sym.end = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ' || !sym.start)
		return;
	type = end[1];
	sym.name = end + 3;
	module = strchr(end + 3, '\t');
	if (module) {
		*module++ = '\0';
		t = kallsyms__findnew_module(k, module);
	} else if (!strcmp(sym.name, "_text")) {
		k->text_addr = sym.start;
	} else if (!strcmp(sym.name, "_stext")) {
		k->stext_addr = sym.start;
	}
	sym.rank = type_rank(type);
	sym.is_code = strchr("tTwW", type);
	if (toupper((unsigned char)type) != 'A')
		symtab__add(t, &sym);
}

int kallsyms__load(struct kallsyms *k, const char *path, struct arena *arena)
{
	size_t len = 0;
	char *line, *next;
	int err;

	memset(k, 0, sizeof(*k));
	k->arena = arena;
	err = read_all(path, &k->text, &len);
	if (err)
		return err;
	for (line = k->text; *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		kallsyms__add_line(k, line);
	}
	if (!k->kernel.raw.nr) {
		kallsyms__free(k);
		return len ? -EACCES : -ENODATA;
	}
	symtab__seal(&k->kernel);
	map64__for_each(&k->modules, s)
		symtab__seal(s->value);
	return 0;
}

void kallsyms__free(struct kallsyms *k)
{
	symtab__free(&k->kernel);
	map64__for_each(&k->modules, s) {
		symtab__free(s->value);
		free(s->value);
	}
	map64__free(&k->modules);
	zfree(&k->text);
}

struct symtab *kallsyms__module(const struct kallsyms *k, const char *name)
{
	return map64__get(&k->modules, (uintptr_t)arena__intern(k->arena, name));
}
