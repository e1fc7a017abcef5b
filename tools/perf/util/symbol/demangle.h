/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of C++, Rust, D, OCaml and Haskell as their programmers wrote them. Internal to this room.
 */
#ifndef PERF_SYMBOL_DEMANGLE_H
#define PERF_SYMBOL_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "../../../lib/unwind/core/budget.h"

struct arena;
struct name_apart;

/*
 * The work that may be spent on names that are not small. Each can be made to expand to megabytes,
 * or to take a second of CPU time, and a symbol table may have any number of them.
 */
struct demangler {
	/* In bytes of output, NAME_MS_BYTES of which take a millisecond of CPU time. */
	struct budget work;
	struct name_apart *heavy;   /* for names that may grow without end; NULL: none was needed */
	struct name_apart *swift_names;
	void *swift;                /* the function of Swift's library; NULL: there is none */
	bool swift_tried;
	u64 nr_left;                /* names that were not demangled for lack of .work */
};

#define NAME_MS_BYTES (1ULL << 17)
#define HEAVY_NAME_MS 1000 /* what one that is given up costs */
#define HEAVY_NAME_WORK (HEAVY_NAME_MS * NAME_MS_BYTES)
#define NAMES_WORK (20 * HEAVY_NAME_WORK) /* for all names of a run */

/*
 * Takes @bytes of the work that is left. @d NULL: there is no limit.
 * Returns: false when there is not enough left; that is counted.
 */
static inline bool demangler__take(struct demangler *d, u64 bytes)
{
	bool taken = !d || budget__take(&d->work, bytes);

	if (!taken)
		d->nr_left++;
	return taken;
}

/* Ends the other processes, if there are any; the next name that needs one starts another. */
void demangler__end(struct demangler *d);

/* In another process: writes what @name means to @plain, CXX_MAX_PLAIN zeros; or nothing. */
typedef void (*name_apart_fn)(void *ctx, const char *name, char *plain);

/*
 * Has a name demangled by another process.
 * @apart: of the names of one language; *@apart is made when it is NULL, for name_apart__free()
 * @demangle, @ctx: what that process calls; the same in each call
 * @name: mangled
 * @d: see demangler__take()
 * Returns: the name, for free(); NULL when it is none, or took too long or too much memory.
 */
char *name_apart__demangle(struct name_apart **apart, name_apart_fn demangle, void *ctx,
			   const char *name, struct demangler *d);
void name_apart__free(struct name_apart *apart);

/*
 * Demangles a name of any of these languages.
 * @arena: for the result
 * @name: borrowed; must live as long as the arena
 * @d: NULL: heavy names stay as they are, the work for others has no limit
 * Returns: the demangled name; @name itself when it is not mangled, would become absurdly long or
 *         takes too long.
 */
const char *symbol_name__demangle(struct arena *arena, const char *name, struct demangler *d);

/*
 * The same for names of languages that do not mark them: in tables with a name for which
 * haskell_name__is_sign() or ada_name__is_sign() is true.
 * @arena: for the result
 * @name: as above
 * @decode: haskell_name__decode() or ada_name__decode()
 * Returns: the decoded name; @name itself when it is not one of that language.
 */
const char *symbol_name__decode(struct arena *arena, const char *name,
				int (*decode)(const char *name, char *buf, size_t size));

#define CXX_MAX_MANGLED 4096 /* with the NUL; demanglers recurse */
#define CXX_MAX_PLAIN 65536

/* What a demangler writes: into @size bytes of its caller's, with a NUL behind it. */
struct plain_name {
	char *s;
	size_t len, size; /* .len < .size */
};

/*
 * Adds @n bytes at @s.
 * Returns: false when they do not fit; nothing is added then.
 */
static inline bool plain_name__put(struct plain_name *p, const char *s, size_t n)
{
	if (n >= p->size - p->len)
		return false;
	memcpy(p->s + p->len, s, n);
	p->len += n;
	p->s[p->len] = '\0';
	return true;
}

/*
 * Demangles a name of C++ (Itanium C++ ABI, section 5.1) or Rust (RFC 2603, or its older scheme: a
 * name of C++ with a hash). Names of Rust become source text: paths without crate hashes.
 * @name: "_Z..." or "_R...", shorter than CXX_MAX_MANGLED, without what a compiler puts behind it
 * @d: see demangler__take()
 * Returns: the name, for free(); NULL when it is not mangled, CXX_MAX_PLAIN is not enough, there
 *         is not enough work left, or perf was built without the library.
 */
char *mangled_name__demangle(const char *name, struct demangler *d);

/*
 * Returns: whether @name has so many back references that another process has to demangle it, which
 *         is too slow for thousands of names.
 */
bool mangled_name__is_heavy(const char *name);

/* Returns: whether @name, of D, may have so many that the time that it takes is counted. */
bool d_name__has_many_references(const char *name);

/*
 * Demangles a name of D: the path of the function, with parameters.
 * @name: "_D..."
 * Returns: the length written to @buf; -1 when it is not such a name, or does not fit.
 */
int d_name__demangle(const char *name, char *buf, size_t size);

/*
 * Returns: whether only programs of GHC have a symbol @name, as stg_ap_v_info. Their other names
 *         are read as its names then.
 */
bool haskell_name__is_sign(const char *name);

/* Returns: whether @name is mangled as Swift 4.2 and later do it: "$s...", "_$s...". */
bool swift_name__is_sign(const char *name);

/* Loads Swift's library, where it is installed, for a process that can load nothing later. */
void swift_name__load(void);

/*
 * Demangles a name of Swift, as `swift demangle --simplified` does, where Swift's library is
 * installed.
 * @name: of which swift_name__is_sign() is true
 * @d: holds the library; NULL: it is not asked
 * Returns: the name, for free(); NULL when it is not such a name, there is no library, or there is
 *         not enough work left.
 */
char *swift_name__demangle(const char *name, struct demangler *d);

/*
 * Decodes a name of GHC, of a binary that has such a sign.
 * @name: "base_GHCziBase_zpzp_info"
 * Returns: the length written to @buf, "base:GHC.Base.++_info"; -1 when it is not such a name, or
 *         does not fit.
 */
int haskell_name__decode(const char *name, char *buf, size_t size);

/* Returns: whether only programs of Ada (GNAT) have a symbol @name, or use one of a library. */
bool ada_name__is_sign(const char *name);

/*
 * Decodes a name of GNAT, of a binary that has such a sign.
 * @name: "ada__calendar__Oadd__2"
 * Returns: the length written to @buf, "ada.calendar."+""; -1 when it is not such a name, or does
 *         not fit.
 */
int ada_name__decode(const char *name, char *buf, size_t size);

#endif
