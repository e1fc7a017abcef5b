// SPDX-License-Identifier: GPL-2.0-only
#include "short-names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/index.h"
#include "../base/text.h"
#include "short-name.h"

/* Returns the place in .v of a name, which is made when it is new. */
static u32 place_of_name(struct short_names *n, const char *name)
{
	const char *full = arena__intern(n->arena, name);
	uintptr_t nr = (uintptr_t)map64__get(&n->of_full, (uintptr_t)full);

	if (nr)
		return nr - 1;
	*vec__push(&n->v) = (struct short_name){ .full = full };
	map64__set(&n->of_full, (uintptr_t)full, (void *)(uintptr_t)n->v.nr);
	return n->v.nr - 1;
}

void short_names__add(struct short_names *n, const void *key, const char *name,
		      const struct dso *dso, const struct symbol *sym)
{
	if (!n->arena)
		n->arena = arena__new();
	if (map64__get(&n->of, (uintptr_t)key))
		return;
	*vec__push(&n->functions) = (struct named_function){
		.name = place_of_name(n, name),
		.module = arena__intern(n->arena, dso ? dso->short_name : ""),
		.begins = symbol__begins(sym, dso), .dso = dso,
	};
	map64__set(&n->of, (uintptr_t)key, (void *)(uintptr_t)n->functions.nr);
}

static void make_one(struct short_names *n, struct short_name *s)
{
	bool shorten = !n->full && s->level < SHORT_NAME_LEVELS;
	char *text = shorten ? name__shorten(s->full, s->level) : NULL;

	s->text = text ? arena__intern(n->arena, text) : s->full;
	free(text);
}

/* Marks those whose text is that of another one, too. Returns whether there are any. */
static bool find_equal(struct short_names *n)
{
	struct map64 known = {};
	bool any = false;

	for (size_t i = 0; i < n->v.nr; i++) {
		struct short_name *s = &n->v.v[i], *other;
		uintptr_t nr = (uintptr_t)map64__get(&known, (uintptr_t)s->text);

		if (!nr) {
			map64__set(&known, (uintptr_t)s->text, (void *)(i + 1));
			continue;
		}
		other = &n->v.v[nr - 1];
		s->raise = other->raise = any = true;
	}
	map64__free(&known);
	return any;
}

static void make_texts(struct short_names *n)
{
	for (size_t i = 0; i < n->v.nr; i++)
		make_one(n, &n->v.v[i]);
	for (u32 pass = 0; pass <= SHORT_NAME_LEVELS && find_equal(n); pass++)
		for (size_t i = 0; i < n->v.nr; i++) {
			struct short_name *s = &n->v.v[i];

			if (!s->raise)
				continue;
			s->raise = false;
			s->level++;
			make_one(n, s);
		}
}

static int by_place(const void *va, const void *vb, void *ctx)
{
	const struct short_names *n = ctx;
	const struct named_function *a = &n->functions.v[*(const u32 *)va];
	const struct named_function *b = &n->functions.v[*(const u32 *)vb];

	return compare_of(a->name, b->name) ?:
	       compare_of((uintptr_t)a->module, (uintptr_t)b->module) ?:
	       compare_of(a->begins, b->begins);
}

const char *symbols__file(struct symbols *s, const struct dso *dso, const struct symbol *symbol)
{
	struct source_line at;
	u32 nr_inlined;

	symbols__inlined(s, dso, symbol->start, symbol, &nr_inlined);
	return symbols__line(s, dso, symbol->start, nr_inlined, &at) ? at.file : NULL;
}

static const char *file_of(const struct short_names *n, const struct named_function *f)
{
	const struct symbol *sym = n->symbols ? symbols__find(n->symbols, f->dso, f->begins) : NULL;
	const char *path = sym ? symbols__file(n->symbols, f->dso, sym) : NULL;

	return path ? path__base(path) : NULL;
}

/* Returns false: two are of one file, or a file is not known. */
static bool tell_by_file(struct short_names *n, const u32 *order, u32 nr)
{
	struct map64 known = {};
	bool fine = true;

	for (u32 i = 0; i < nr && fine; i++) {
		struct named_function *f = &n->functions.v[order[i]];
		const char *file = file_of(n, f);
		u64 *begins;

		f->apart = file ? arena__intern(n->arena, file) : NULL;
		begins = map64__set(&known, (uintptr_t)f->apart, &f->begins);
		fine = file && (!begins || *begins == f->begins);
	}
	map64__free(&known);
	return fine;
}

/* @order: functions of one name in one binary, by where they begin */
static void tell_apart(struct short_names *n, const u32 *order, u32 nr)
{
	bool by_file = tell_by_file(n, order, nr);

	for (u32 i = 0; i < nr; i++) {
		struct named_function *f = &n->functions.v[order[i]];
		const char *name = n->v.v[f->name].text;
		char *text = by_file ? xasprintf("%s (%s)", name, f->apart) :
				       xasprintf("%s (0x%" PRIx64 ")", name, f->begins);

		f->text = arena__intern(n->arena, text);
		free(text);
	}
}

static bool is_same_name(const struct named_function *a, const struct named_function *b)
{
	return a->name == b->name && a->module == b->module;
}

static void tell_all_apart(struct short_names *n)
{
	u32 *order = xcalloc(n->functions.nr + 1, sizeof(*order)), nr = 0, same;

	for (u32 i = 0; i < n->functions.nr; i++)
		if (n->functions.v[i].begins)
			order[nr++] = i;
	qsort_r(order, nr, sizeof(*order), by_place, n);
	for (u32 i = 0; i < nr; i += same) {
		const struct named_function *f = &n->functions.v[order[i]], *last = f;

		for (same = 1; i + same < nr; same++) {
			if (!is_same_name(f, &n->functions.v[order[i + same]]))
				break;
			last = &n->functions.v[order[i + same]];
		}
		if (last->begins != f->begins)
			tell_apart(n, order + i, same);
	}
	free(order);
}

void short_names__make(struct short_names *n)
{
	make_texts(n);
	tell_all_apart(n);
}

const char *short_names__of(const struct short_names *n, const void *key, const char *name)
{
	uintptr_t nr = (uintptr_t)map64__get(&n->of, (uintptr_t)key);
	const struct named_function *f = nr ? &n->functions.v[nr - 1] : NULL;

	return f ? f->text ?: n->v.v[f->name].text : name;
}

void short_names__free(struct short_names *n)
{
	vec__free(&n->v);
	vec__free(&n->functions);
	map64__free(&n->of);
	map64__free(&n->of_full);
	arena__free(n->arena);
	*n = (struct short_names){};
}
