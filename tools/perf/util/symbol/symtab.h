/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sorted table of symbols: filled in any order, sealed once, then searched.
 *
 * Names are borrowed: they must live as long as the table (a mapped string table, an arena).
 * They are demangled one by one when a search finds them. Internal to this room.
 */
#ifndef PERF_SYMBOL_SYMTAB_H
#define PERF_SYMBOL_SYMTAB_H

#include "demangle.h"
#include "nameless.h"
#include "symbols.h"

enum symbol_rank { /* of several names for one address; a lower one is preferred */
	SYMBOL_GLOBAL,
	SYMBOL_LOCAL,
	SYMBOL_WEAK,
};

struct raw_symbol {
	u64 start, end;  /* end == start: size unknown, reaches to the next symbol */
	u64 limit;       /* of a symbol without size: the end of its section; 0: none */
	const char *name;
	u32 seq;         /* filled in by symtab__add() */
	u8 rank;         /* enum symbol_rank */
	bool has_size;   /* internal */
	bool is_code;    /* or data, in a table of that; if not, it only ends what is before it */
	bool is_label;   /* of hand-written assembly: ignored inside a function with a size */
};

/* A longer name is cut, and ends in "...": somebody's symbol table may have names of gigabytes. */
#define SYMBOL_NAME_MAX CXX_MAX_PLAIN

struct symtab {
	/* Set by the owner: for names that are demangled or cut; NULL: they stay as they are. */
	struct arena *demangle_into;
	bool keep_mangled;           /* names are not demangled, but cut */
	bool is_haskell, is_ada;     /* names are also those of GHC, of GNAT */
	struct demangler *demangler; /* likewise: see symbol_name__demangle() */
	bool find_namesakes;         /* for symtab__namesake() */
	struct nameless *nameless;   /* likewise: functions that have no symbol; or NULL. Freed */
	VEC(struct raw_symbol) raw; /* until sealed */
	size_t nr_sorted;           /* of .raw */
	struct symbol *v;           /* when sealed */
	u32 *outer;                 /* index + 1 of the symbol that encloses the start; bit 31 */
	size_t nr;
	u32 *next_namesake;         /* of local symbols: the place of the next one in a ring */
	/* Where to search: [i] is how many of .v begin before .v[0].start + (i << .shift). */
	u32 *parts;
	size_t nr_parts;            /* without the last one, which is .nr */
	unsigned int shift;
};

/* Adds a symbol, which is copied; its name is borrowed. */
void symtab__add(struct symtab *t, const struct raw_symbol *sym);

/* Before the table is sealed: sorts the symbols so far, for symtab__name_at(). */
void symtab__sort(struct symtab *t);

/* Returns: the best name of those sorted so far for a symbol at @addr, or NULL. */
const char *symtab__name_at(const struct symtab *t, u64 addr);

/* Ends the filling. */
void symtab__seal(struct symtab *t);

/*
 * Instead of all that.
 * @v: @nr symbols, sorted by .start; allocated, the table's from now on
 */
void symtab__take(struct symtab *t, struct symbol *v, size_t nr);

/*
 * See symbols__namesake().
 * @start: of a function
 * Returns: that of the next one of its name; 0: there is none.
 */
u64 symtab__namesake(const struct symtab *t, u64 start);

/* Frees the table, not the names. */
void symtab__free(struct symtab *t);

/*
 * Returns: the symbol at @addr, or the nameless function there; NULL: neither is known. Valid as
 * long as the table.
 */
const struct symbol *symtab__find(struct symtab *t, u64 addr);

#endif
