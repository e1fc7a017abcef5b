// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../io/broker.h"
#include "../io/procfile.h"
#include "kallsyms.h"

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

/* Returns the value of a digit; -1: it is none. With strtoull() a file takes half as long again. */
static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* "ffffffff81000000 T _text" or "ffffffffc0000000 t ext4_foo\t[ext4]". Writes NULs into it. */
static void kallsyms__add_line(struct kallsyms *k, char *line)
{
	struct raw_symbol sym = {};
	struct symtab *t = &k->kernel;
	char *end = line, *module, type;

	while (hex_digit(*end) >= 0)
		sym.start = sym.start << 4 | hex_digit(*end++);
	sym.end = sym.start;
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
	sym.is_code = type == 't' || type == 'T' || type == 'w' || type == 'W';
	if (type != 'a' && type != 'A')
		symtab__add(t, &sym);
}

int kallsyms__load(struct kallsyms *k, const char *path, struct arena *arena)
{
	int fd = broker__open(path, O_RDONLY | O_NONBLOCK), ret; /* never waits for a FIFO */

	if (fd < 0) {
		memset(k, 0, sizeof(*k));
		return fd;
	}
	ret = kallsyms__load_fd(k, fd, arena);
	close(fd);
	return ret;
}

int kallsyms__load_fd(struct kallsyms *k, int fd, struct arena *arena)
{
	size_t len = 0;
	char *line, *next;
	int err;

	memset(k, 0, sizeof(*k));
	k->arena = arena;
	err = procfile__read_fd(fd, &k->text, &len);
	if (err)
		return err;
	for (line = k->text; *line; line = next) {
		next = strchrnul(line, '\n');
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
	mapfile__unmap(&k->kept);
}

struct symtab *kallsyms__module(const struct kallsyms *k, const char *name)
{
	return map64__get(&k->modules, (uintptr_t)arena__intern(k->arena, name));
}
