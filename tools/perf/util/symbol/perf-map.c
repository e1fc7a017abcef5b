// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../io/mapfile.h"
#include "perf-map.h"

#define MAX_NAME 4096
#define MAX_FILE ((size_t)1 << 30) /* another user's file may be endless zeros */

/* Reads hex digits at *@p, with or without 0x, and the space behind. strtoull() needs a NUL. */
static bool take_hex(const char **p, const char *end, u64 *v)
{
	const char *s = *p, *digits;

	if (end - s > 2 && s[0] == '0' && (s[1] | 0x20) == 'x')
		s += 2;
	for (digits = s, *v = 0; s < end && s - digits < 17; s++) {
		if (*s >= '0' && *s <= '9')
			*v = *v << 4 | (*s - '0');
		else if ((*s | 0x20) >= 'a' && (*s | 0x20) <= 'f')
			*v = *v << 4 | ((*s | 0x20) - 'a' + 10);
		else
			break;
	}
	if (s == digits || s - digits > 16 || s == end || *s != ' ')
		return false;
	*p = s + 1;
	return true;
}

typedef VEC(struct raw_symbol) symbol_vec;

static void read_line(symbol_vec *v, struct arena *arena, const char *p, const char *end)
{
	struct raw_symbol sym = { .rank = SYMBOL_GLOBAL, .is_code = true };
	u64 size;

	if (!take_hex(&p, end, &sym.start) || !take_hex(&p, end, &size) || p == end || !size ||
	    __builtin_add_overflow(sym.start, size, &sym.end))
		return;
	if (end[-1] == '\r')
		end--;
	sym.name = arena__intern_n(arena, p, min_of(end - p, (ptrdiff_t)MAX_NAME));
	sym.seq = v->nr;
	*vec__push(v) = sym;
}

/* By start; of equal starts the later line first. */
static int by_start(const void *va, const void *vb)
{
	const struct raw_symbol *a = va, *b = vb;

	if (a->start != b->start)
		return compare_of(a->start, b->start);
	return compare_of(b->seq, a->seq);
}

/*
 * Code memory is reused: where lines overlap, the latest one is valid. An earlier one is cut at
 * both ends by later ones.
 */
struct layers {
	struct symtab *t;
	struct raw_symbol now; /* the symbol that is valid at present; .name NULL: none */
	/*
	 * From [first] on: earlier symbols that .now covers, each older than those in front of it.
	 */
	symbol_vec covered;
	size_t first;
};

/* Goes on to @at: when a symbol ends, one that it has covered becomes valid. */
static void layers__end_until(struct layers *l, u64 at)
{
	while (l->now.name && l->now.end <= at) {
		u64 end = l->now.end;

		symtab__add(l->t, &l->now);
		l->now.name = NULL;
		while (l->first < l->covered.nr && !l->now.name) {
			struct raw_symbol *next = &l->covered.v[l->first++];

			if (next->end <= end)
				continue;
			l->now = *next;
			l->now.start = end;
		}
	}
}

static void layers__begin(struct layers *l, const struct raw_symbol *sym)
{
	symbol_vec *c = &l->covered;

	if (l->now.name && sym->seq < l->now.seq) {
		while (c->nr > l->first && c->v[c->nr - 1].seq < sym->seq)
			c->nr--;
		*vec__push(c) = *sym;
		return;
	}
	l->now.end = sym->start;
	if (l->now.name && l->now.end > l->now.start)
		symtab__add(l->t, &l->now);
	l->now = *sym;
	l->first = c->nr = 0; /* they are all older */
}

static void add_newest(struct symtab *t, const symbol_vec *v)
{
	struct layers l = { .t = t };

	for (size_t i = 0; i < v->nr; i++) {
		layers__end_until(&l, v->v[i].start);
		layers__begin(&l, &v->v[i]);
	}
	layers__end_until(&l, ~0ULL);
	vec__free(&l.covered);
}

bool perf_map__is_of(const char *path, u32 pid)
{
	const char *slash = strrchr(path, '/');
	char name[32];

	snprintf(name, sizeof(name), "perf-%u.map", pid);
	return slash && !strcmp(slash + 1, name);
}

int perf_map__load(struct symtab *t, struct arena *arena, int fd)
{
	const char *p, *end, *eol;
	symbol_vec v = {};
	struct mapfile file;
	int err = mapfile__map(&file, fd);

	close(fd);
	if (err)
		return err;
	p = (const char *)file.data;
	for (end = p + min_of(file.size, MAX_FILE); p < end; p = eol + 1) {
		eol = memchr(p, '\n', end - p);
		if (!eol)
			eol = end;
		read_line(&v, arena, p, eol);
	}
	mapfile__unmap(&file);
	if (v.nr)
		qsort(v.v, v.nr, sizeof(*v.v), by_start);
	add_newest(t, &v);
	vec__free(&v);
	return 0;
}
