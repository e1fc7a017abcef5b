/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of functions that are shown together. No two functions look the same: names are as short
 * as that allows, and static functions of one name in one binary have their files behind it, or
 * where they begin, if that is not known, or the same:
 *
 *	helper (a.c)    helper (b.c)
 *	helper (0x1139)    helper (0x1174)
 */
#ifndef PERF_SYMBOL_SHORT_NAMES_H
#define PERF_SYMBOL_SHORT_NAMES_H

#include "../base/hash.h"
#include "../base/vec.h"
#include "symbols.h"

enum name_style {
	NAMES_PLAIN, /* for machines */
	NAMES_APART, /* no two functions have the same */
	NAMES_SHORT, /* the same, and as short as that allows */
};

struct short_name {
	const char *full, *text; /* of the arena */
	unsigned int level;
	bool raise;              /* another function has the text, too */
};

struct named_function {
	u32 name;                /* which of short_names.v */
	const char *module;      /* of the arena: the short name of its binary */
	u64 begins;              /* see symbol__begins() */
	const struct dso *dso;
	const char *apart;       /* of the arena: what tells it from others; NULL: its name */
	const char *text;        /* of the arena: with that; NULL: that of .name */
};

struct short_names {
	bool full;               /* by the caller: names are only told apart */
	struct symbols *symbols; /* by the caller: for files of functions; or NULL */
	struct arena *arena;
	VEC(struct short_name) v;
	VEC(struct named_function) functions;
	struct map64 of;         /* as functions were given -> place in .functions + 1 */
	struct map64 of_full;    /* a name of the arena's -> place in .v + 1 */
};

/*
 * @n: all zero but for what the caller sets; for short_names__free()
 * @key: the function, a pointer that no other one has; may come again
 * @name: its full name; lives as long
 * @dso, @sym: what it is; @dso may be NULL
 */
void short_names__add(struct short_names *n, const void *key, const char *name,
		      const struct dso *dso, const struct symbol *sym);

/* Makes them, once all functions were added. */
void short_names__make(struct short_names *n);

/* Returns: how to show the function @key that was added; @name when it was not. */
const char *short_names__of(const struct short_names *n, const void *key, const char *name);

/*
 * Returns: the file of a function's own code, and not of what was inlined where it begins, with its
 *         directories; NULL: unknown. Owned by @s.
 */
const char *symbols__file(struct symbols *s, const struct dso *dso, const struct symbol *symbol);

/* Frees all. */
void short_names__free(struct short_names *n);

#endif
