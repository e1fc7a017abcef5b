// SPDX-License-Identifier: GPL-2.0-only
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "../base/hash-bytes.h"
#include "../symbol/content.h"

void diff_names__free(struct diff_names *n)
{
	vec__free(&n->v);
	index__free(&n->by_hash);
	index__free(&n->by_name);
	map64__free(&n->of);
	arena__free(n->arena);
}

void diff_names__begin(struct diff_names *n)
{
	if (!n->arena)
		n->arena = arena__new();
	map64__free(&n->of);
	n->pass++;
}

static u64 hash_text(const char *text)
{
	return hash_bytes(text, strlen(text));
}

/* Where the code is not known, a function is the same only in the same build. */
static u64 hash_of(struct symbols *symbols, const struct dso *dso, const struct symbol *sym)
{
	u64 content;

	if (!symbols__content(symbols, dso, sym, &content))
		content = sym->start ^ hash_bytes(dso->build_id.data, dso->build_id.size);
	return hash_u64(content ^ hash_text(dso->short_name));
}

/*
 * A function that no other one of this recording has been taken for. Of several with the same code,
 * rather that at the same address.
 */
static struct diff_nameless *find(struct diff_names *n, u64 hash, const char *own)
{
	struct diff_nameless *found = NULL;
	struct index_probe p;

	for (u32 i = index__first(&n->by_hash, hash, &p); i; i = index__next(&n->by_hash, &p)) {
		struct diff_nameless *f = &n->v.v[i - 1];

		if (f->hash != hash || f->pass == n->pass)
			continue;
		if (!found || !strcmp(f->name, own))
			found = f;
	}
	return found;
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

static const char *name_nameless(struct diff_names *n, u64 hash, const char *own)
{
	struct diff_nameless *known = find(n, hash, own);

	if (known) {
		known->pass = n->pass;
		return known->name;
	}
	*vec__push(&n->v) = (struct diff_nameless){
		.hash = hash, .name = free_name(n, own), .pass = n->pass,
	};
	index__add(&n->by_hash, hash, n->v.nr);
	index__add(&n->by_name, hash_text(n->v.v[n->v.nr - 1].name), n->v.nr);
	return n->v.v[n->v.nr - 1].name;
}

const char *diff_names__of(struct diff_names *n, struct symbols *symbols, const struct dso *dso,
			   const struct symbol *sym)
{
	const char *name;

	if (symbol__is_named(sym) || !dso)
		return sym->name;
	name = map64__get(&n->of, (uintptr_t)sym);
	if (!name) {
		name = name_nameless(n, hash_of(symbols, dso, sym), sym->name);
		map64__set(&n->of, (uintptr_t)sym, (void *)(uintptr_t)name);
	}
	return name;
}
