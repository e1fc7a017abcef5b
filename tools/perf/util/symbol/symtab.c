// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/unwind/core/sorted.h"
#include "../base/hash-bytes.h"
#include "../base/index.h"
#include "../base/text.h"
#include "symtab.h"

#define DEMANGLED (1U << 31)
#define MAX_SYMBOLS (DEMANGLED - 2)
#define MAX_NESTING 64 /* steps outwards per search: limits what a hostile table costs */
#define MAX_NAME 4096  /* bytes of a name that are compared, for the same reason */
#define MAX_ALIASES 64
#define PAGE 4096ULL

void symtab__add(struct symtab *t, const struct raw_symbol *sym)
{
	struct raw_symbol *raw;

	if (t->raw.nr >= MAX_SYMBOLS || sym->end < sym->start || !sym->name[0])
		return;
	raw = vec__push(&t->raw);
	*raw = *sym;
	raw->seq = t->raw.nr;
}

static int by_start(const void *va, const void *vb)
{
	const struct raw_symbol *a = va, *b = vb;

	if (a->start != b->start)
		return compare_of(a->start, b->start);
	return compare_of(a->seq, b->seq);
}

static size_t underscores(const char *name)
{
	size_t n = 0;

	while (n < MAX_NAME && name[n] == '_')
		n++;
	return n;
}

/*
 * Whether the name @a for an address is better than @b. The order of the criteria is perf's, so
 * that profiles of both look the same.
 */
static bool is_better(const struct symtab *t, const struct raw_symbol *a,
		      const struct raw_symbol *b)
{
	const char *a_name = a->name, *b_name = b->name;
	size_t a_len, b_len;

	if (a->has_size != b->has_size)
		return a->has_size;
	if (a->rank != b->rank)
		return a->rank < b->rank;
	if (t->demangle_into && !t->keep_mangled && !mangled_name__is_heavy(a_name) &&
	    !mangled_name__is_heavy(b_name)) {
		a_name = symbol_name__demangle(t->demangle_into, a_name, t->demangler);
		b_name = symbol_name__demangle(t->demangle_into, b_name, t->demangler);
	}
	a_len = underscores(a_name);
	b_len = underscores(b_name);
	if (a_len != b_len)
		return a_len < b_len;
	a_len = strnlen(a_name, MAX_NAME);
	b_len = strnlen(b_name, MAX_NAME);
	return a_len > b_len;
}

/* As those of the kernel mostly are. */
static bool is_sorted(const struct symtab *t)
{
	for (size_t i = 1; i < t->raw.nr; i++)
		if (by_start(&t->raw.v[i - 1], &t->raw.v[i]) > 0)
			return false;
	return true;
}

void symtab__sort(struct symtab *t)
{
	if (!is_sorted(t))
		qsort(t->raw.v, t->raw.nr, sizeof(*t->raw.v), by_start);
	t->nr_sorted = t->raw.nr;
}

const char *symtab__name_at(const struct symtab *t, u64 addr)
{
	const struct raw_symbol *v = t->raw.v, *best = NULL;
	size_t at = partition_point(t->nr_sorted, i, v[i].start < addr);
	size_t end = min_of(t->nr_sorted, at + MAX_ALIASES);

	for (; at < end && v[at].start == addr; at++)
		if (!best || is_better(t, &v[at], best))
			best = &v[at];
	return best ? best->name : NULL;
}

/*
 * Keeps the best of the symbols at each address. The table is sorted before and after. If no size
 * is known, as in kallsyms, the last name is taken to be the one that reaches to the next address.
 */
static void symtab__choose(struct symtab *t)
{
	struct raw_symbol *v = t->raw.v;
	size_t to = 0;
	bool sized = false; /* one of those at this address has a size */

	for (size_t i = 0; i < t->raw.nr; i++) {
		bool first = !to || v[to - 1].start != v[i].start;
		bool last = i + 1 == t->raw.nr || v[i + 1].start != v[i].start;

		v[i].has_size = v[i].end > v[i].start;
		sized = (sized && !first) || v[i].has_size;
		v[i].has_size |= last && !sized;
		if (first)
			v[to++] = v[i];
		else if (v[i].is_code != v[to - 1].is_code ? v[i].is_code :
							       is_better(t, &v[i], &v[to - 1]))
			v[to - 1] = v[i];
	}
	t->raw.nr = to;
}

/* Removes labels of loops in assembly: their samples belong to the function. */
static void symtab__drop_inner_labels(struct symtab *t)
{
	struct raw_symbol *v = t->raw.v;
	size_t to = 0;
	u64 end = 0; /* the highest end so far */

	for (size_t i = 0; i < t->raw.nr; i++) {
		if (v[i].is_label && v[i].start < end)
			continue;
		if (v[i].is_code)
			end = max_of(end, v[i].end);
		v[to++] = v[i];
	}
	t->raw.nr = to;
}

static void symtab__set_ends(struct symtab *t)
{
	struct raw_symbol *v = t->raw.v;
	u64 end;

	for (size_t i = 0; i < t->raw.nr; i++) {
		if (v[i].end != v[i].start)
			continue;
		end = i + 1 < t->raw.nr ? v[i + 1].start : align_up(v[i].start, PAGE) + PAGE;
		if (v[i].limit > v[i].start)
			end = min_of(end, v[i].limit);
		v[i].end = max_of(end, v[i].start); /* an end beyond the last page wraps */
	}
}

/* Finds for each symbol the nearest one in front of it that reaches beyond its start. */
static void symtab__nest(struct symtab *t)
{
	for (size_t i = 1; i < t->nr; i++) {
		size_t o = i; /* index + 1 of the candidate */

		while (o && t->v[o - 1].end <= t->v[i].start)
			o = t->outer[o - 1];
		t->outer[i] = o;
	}
}

static u8 binding_of(enum symbol_rank rank)
{
	return rank == SYMBOL_GLOBAL ? STB_GLOBAL : rank == SYMBOL_LOCAL ? STB_LOCAL : STB_WEAK;
}

/* Parts the addresses evenly, so that about one symbol begins in each. */
static void symtab__part(struct symtab *t)
{
	u64 first = t->nr ? t->v[0].start : 0, span = t->nr ? t->v[t->nr - 1].start - first : 0;
	size_t at = 0;

	while (span >> t->shift > t->nr)
		t->shift++;
	t->nr_parts = (span >> t->shift) + 1;
	t->parts = xcalloc(t->nr_parts + 1, sizeof(*t->parts));
	for (size_t i = 0; i < t->nr; i++)
		while (at < (t->v[i].start - first) >> t->shift)
			t->parts[++at] = i;
	while (at < t->nr_parts)
		t->parts[++at] = t->nr;
}

void symtab__take(struct symtab *t, struct symbol *v, size_t nr)
{
	t->v = v;
	t->nr = nr;
	t->outer = xcalloc(nr, sizeof(*t->outer));
	symtab__nest(t);
	symtab__part(t);
}

static u32 find_named(const struct symtab *t, const struct index *names, const char *name)
{
	u64 hash = hash_bytes(name, strlen(name));
	struct index_probe p;

	for (u32 i = index__first(names, hash, &p); i; i = index__next(names, &p))
		if (!strcmp(t->v[i - 1].name, name))
			return i;
	return 0;
}

/* Before any name is demangled. */
static void symtab__ring_namesakes(struct symtab *t)
{
	struct index names = {};

	t->next_namesake = xcalloc(t->nr, sizeof(*t->next_namesake));
	for (size_t i = 0; i < t->nr; i++) {
		const struct symbol *sym = &t->v[i];
		u32 first = sym->binding == STB_LOCAL ? find_named(t, &names, sym->name) : 0;

		if (sym->binding != STB_LOCAL)
			continue;
		t->next_namesake[i] = i;
		if (first) {
			t->next_namesake[i] = t->next_namesake[first - 1];
			t->next_namesake[first - 1] = i;
		} else {
			index__add(&names, hash_bytes(sym->name, strlen(sym->name)), i + 1);
		}
	}
	index__free(&names);
}

void symtab__seal(struct symtab *t)
{
	struct symbol *v;
	size_t nr = 0;

	symtab__sort(t);
	symtab__choose(t);
	symtab__drop_inner_labels(t);
	symtab__set_ends(t);
	v = xcalloc(t->raw.nr, sizeof(*v));
	for (size_t i = 0; i < t->raw.nr; i++) {
		const struct raw_symbol *raw = &t->raw.v[i];

		if (raw->is_code)
			v[nr++] = (struct symbol){ .start = raw->start, .end = raw->end,
						   .name = raw->name,
						   .binding = binding_of(raw->rank) };
	}
	vec__free(&t->raw);
	symtab__take(t, v, nr);
	if (t->find_namesakes)
		symtab__ring_namesakes(t);
}

void symtab__free(struct symtab *t)
{
	vec__free(&t->raw);
	free(t->v);
	free(t->outer);
	free(t->next_namesake);
	free(t->parts);
	nameless__free(t->nameless);
	memset(t, 0, sizeof(*t));
}

/* So that a name can be typed as it is shown. */
static const char *symtab__harmless(const struct symtab *t, const char *name)
{
	size_t len = strlen(name);
	char *copy;

	if (name__is_harmless(name, len))
		return name;
	copy = xstrdup(name);
	name__disarm(copy, len);
	name = arena__intern(t->demangle_into, copy);
	free(copy);
	return name;
}

static const char *symtab__readable(const struct symtab *t, const char *name)
{
	char *cut;

	if (strnlen(name, SYMBOL_NAME_MAX + 1) > SYMBOL_NAME_MAX) {
		cut = xasprintf("%.*s...", SYMBOL_NAME_MAX, name);
		name = arena__intern(t->demangle_into, cut);
		free(cut);
		return name;
	}
	if (t->keep_mangled)
		return name;
	if (t->is_haskell)
		name = symbol_name__decode(t->demangle_into, name, haskell_name__decode);
	if (t->is_ada)
		name = symbol_name__decode(t->demangle_into, name, ada_name__decode);
	return symbol_name__demangle(t->demangle_into, name, t->demangler);
}

/* Returns how many symbols begin at @addr or in front of it. */
static size_t symtab__nr_to(const struct symtab *t, u64 addr)
{
	u64 part;
	u32 at;

	if (!t->nr || addr < t->v[0].start)
		return 0;
	part = (addr - t->v[0].start) >> t->shift;
	if (part >= t->nr_parts)
		return t->nr;
	at = t->parts[part];
	return at + partition_point(t->parts[part + 1] - at, i, t->v[at + i].start <= addr);
}

u64 symtab__namesake(const struct symtab *t, u64 start)
{
	size_t nr = symtab__nr_to(t, start), next;

	while (nr && t->v[nr - 1].start == start && t->v[nr - 1].binding != STB_LOCAL)
		nr--;
	if (!t->next_namesake || !nr || t->v[nr - 1].start != start)
		return 0;
	next = t->next_namesake[nr - 1];
	return next == nr - 1 ? 0 : t->v[next].start;
}

const struct symbol *symtab__find(struct symtab *t, u64 addr)
{
	size_t nr = symtab__nr_to(t, addr), at = nr;
	struct nameless_room room = {
		.start = nr ? t->v[nr - 1].end : 0, .end = nr < t->nr ? t->v[nr].start : UINT64_MAX,
	};

	for (int n = 0; at && n < MAX_NESTING; n++, at = t->outer[at - 1] & ~DEMANGLED) {
		struct symbol *sym = &t->v[at - 1];

		if (addr >= sym->end)
			continue;
		if (t->demangle_into && !(t->outer[at - 1] & DEMANGLED)) {
			sym->name = symtab__harmless(t, symtab__readable(t, sym->name));
			t->outer[at - 1] |= DEMANGLED;
		}
		return sym;
	}
	return nameless__find(t->nameless, addr, &room);
}
