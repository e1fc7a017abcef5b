// SPDX-License-Identifier: GPL-2.0-only
#include "names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash-bytes.h"
#include "../base/text.h"
#include "../symbol/content.h"
#include "../symbol/short-names.h"

#define NAMESAKES_MAX 64 /* static functions of one name whose files are compared */

void diff_names__free(struct diff_names *n)
{
	vec__free(&n->v);
	vec__free(&n->places);
	map64__free(&n->build_of);
	map64__free(&n->differs);
	index__free(&n->by_place);
	index__free(&n->by_identity);
	index__free(&n->by_name);
	map64__free(&n->of);
	arena__free(n->arena);
}

void diff_names__begin(struct diff_names *n, u32 run)
{
	if (!n->arena) {
		n->arena = arena__new();
		n->work = CONTENT_WORK;
	}
	map64__free(&n->of);
	n->run = run;
}

static u64 hash_text(const char *text)
{
	return hash_bytes(text, strlen(text));
}

/* Without a build-id, a recording has a build of its own. */
static u64 build_of(const struct diff_names *n, const struct dso *dso)
{
	u64 build = dso->build_id.size ? hash_bytes(dso->build_id.data, dso->build_id.size) :
					 hash_u64(n->run + 1) ^ hash_text(dso->name);

	return hash_u64(build ^ hash_text(dso->short_name));
}

static bool is_taken(const struct diff_names *n, const char *name)
{
	struct index_probe p;
	u64 hash = hash_text(name);

	for (u32 i = index__first(&n->by_name, hash, &p); i; i = index__next(&n->by_name, &p))
		if (!strcmp(n->v.v[i - 1].name, name))
			return true;
	return false;
}

/* Another function of another build may begin where this one does. */
static const char *free_name(const struct diff_names *n, const char *own)
{
	const char *name = own;
	char *text = NULL;

	for (u32 i = 2; is_taken(n, name); i++) {
		free(text);
		name = text = xasprintf("%s (%u)", own, i);
	}
	name = arena__intern(n->arena, name);
	free(text);
	return name;
}

/* Returns: the file of a function, if none of its namesakes is of the same; NULL: of others. */
static const char *own_file(struct symbols *symbols, const struct dso *dso,
			    const struct symbol *sym)
{
	const char *file = symbols__file(symbols, dso, sym);
	u64 start = sym->start;

	for (u32 i = 0; file; i++) {
		const struct symbol *other;
		const char *other_file;

		start = symbols__namesake(symbols, dso, start);
		if (start == sym->start || i == NAMESAKES_MAX)
			return start == sym->start ? file : NULL;
		other = symbols__find(symbols, dso, start);
		other_file = other ? symbols__file(symbols, dso, other) : NULL;
		if (!other_file || !strcmp(other_file, file))
			return NULL;
	}
	return NULL;
}

/* What it has in any build. Returns a name of it, for free(). */
static char *identify(struct diff_names *n, struct symbols *symbols, const struct dso *dso,
		      const struct symbol *sym, u64 *identity)
{
	const char *file = symbol__is_named(sym) ? own_file(symbols, dso, sym) : NULL;
	u64 of = hash_text(dso->short_name), content;

	if (symbol__is_named(sym))
		of = hash_u64(of ^ hash_text(sym->name));
	if (file) {
		*identity = hash_u64(of ^ hash_text(file));
		return xasprintf("%s (%s)", sym->name, path__base(file));
	}
	*identity = symbols__content(symbols, dso, sym, &n->work, &content) ?
			    hash_u64(of ^ content) | 1 : 0;
	return symbol__is_named(sym) ? xasprintf("%s (0x%" PRIx64 ")", sym->name, sym->start) :
				       xstrdup(sym->name);
}

static u64 hash_of_place(u64 build, u64 start)
{
	return hash_u64(build ^ hash_u64(start));
}

static struct diff_unsure *find_place(const struct diff_names *n, u64 build, u64 start)
{
	struct index_probe p;

	for (u32 i = index__first(&n->by_place, hash_of_place(build, start), &p); i;
	     i = index__next(&n->by_place, &p))
		if (n->places.v[i - 1].build == build && n->places.v[i - 1].start == start)
			return &n->v.v[n->places.v[i - 1].of];
	return NULL;
}

/* A build has each identity once. */
static struct diff_unsure *find_identity(const struct diff_names *n, u64 identity)
{
	struct index_probe p;

	for (u32 i = index__first(&n->by_identity, identity, &p); i && identity;
	     i = index__next(&n->by_identity, &p))
		if (n->v.v[i - 1].identity == identity)
			return &n->v.v[i - 1];
	return NULL;
}

static struct diff_unsure *add(struct diff_names *n, u64 identity, const char *own, u64 file)
{
	struct diff_unsure *f = vec__push(&n->v);

	*f = (struct diff_unsure){
		.identity = identity, .name = free_name(n, own), .file = file,
	};
	if (identity)
		index__add(&n->by_identity, identity, n->v.nr);
	index__add(&n->by_name, hash_text(f->name), n->v.nr);
	return f;
}

static struct diff_unsure *find(struct diff_names *n, struct symbols *symbols,
				const struct dso *dso, const struct symbol *sym)
{
	u64 build = build_of(n, dso), file = hash_text(dso->short_name), identity;
	struct diff_unsure *f = find_place(n, build, sym->start);
	void *before;
	char *own;

	if (f)
		return f;
	own = identify(n, symbols, dso, sym, &identity);
	f = find_identity(n, identity) ?: add(n, identity, own, file);
	free(own);
	*vec__push(&n->places) = (struct diff_place){ build, sym->start, f - n->v.v };
	index__add(&n->by_place, hash_of_place(build, sym->start), n->places.nr);
	before = map64__set(&n->build_of, file, (void *)(uintptr_t)build);
	if (before && (uintptr_t)before != build)
		map64__set(&n->differs, file, n);
	return f;
}

const char *diff_names__of(struct diff_names *n, struct symbols *symbols, const struct dso *dso,
			   const struct symbol *sym)
{
	struct diff_unsure *f;
	const char *name;

	if (!dso || (symbol__is_named(sym) && (!symbol__begins(sym, dso) ||
					       !symbols__namesake(symbols, dso, sym->start))))
		return sym->name;
	name = map64__get(&n->of, (uintptr_t)sym);
	if (!name) {
		f = find(n, symbols, dso, sym);
		f->nr_runs++;
		name = f->name;
		map64__set(&n->of, (uintptr_t)sym, (void *)(uintptr_t)name);
	}
	return name;
}

u32 diff_names__unmatched(const struct diff_names *n, const char **example)
{
	u32 nr = 0;

	for (size_t i = 0; i < n->v.nr; i++) {
		const struct diff_unsure *f = &n->v.v[i];

		if (f->nr_runs == 1 && !f->identity && map64__get(&n->differs, f->file) && !nr++)
			*example = f->name;
	}
	return nr;
}
