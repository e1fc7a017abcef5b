/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of C++, Rust and OCaml as their programmers wrote them. Internal to this room. */
#ifndef PERF_SYMBOL_DEMANGLE_H
#define PERF_SYMBOL_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/budget.h"

struct arena;
struct side_process;

/*
 * What may be spent on names that are not small, each of which can be made to print megabytes that
 * nobody sees, or to take a second of CPU; a symbol table has as many as its maker likes.
 */
struct demangler {
	/* In bytes that are printed, of which NAME_MS_BYTES take a millisecond of CPU. */
	struct budget work;
	struct side_process *heavy; /* for names that may grow without end; NULL: none was needed */
	u64 nr_left;                /* names that stay as they are for want of @work */
};

#define NAME_MS_BYTES (1ULL << 17)
#define HEAVY_NAME_MS 1000 /* what one that is given up costs */
#define HEAVY_NAME_WORK (HEAVY_NAME_MS * NAME_MS_BYTES)
#define NAMES_WORK (20 * HEAVY_NAME_WORK) /* for all names of a run */

/* Takes @bytes of its work. False, and counted: there is not enough. NULL: there is. */
static inline bool demangler__take(struct demangler *d, u64 bytes)
{
	bool taken = !d || budget__take(&d->work, bytes);

	if (!taken)
		d->nr_left++;
	return taken;
}

/* Ends the process for heavy names, if there is one; the next such name starts another. */
void demangler__end(struct demangler *d);

/*
 * Demangled @name in @arena, or @name itself when it is not a mangled one, or one that would
 * become absurdly long or takes too long. @d NULL: heavy names stay as they are, the work for
 * others has no limit.
 */
const char *symbol_name__demangle(struct arena *arena, const char *name, struct demangler *d);

#define CXX_MAX_MANGLED 4096 /* with the NUL; demanglers recurse */
#define CXX_MAX_PLAIN 65536

/*
 * "_Z...": to be freed; NULL when it is no such name, CXX_MAX_PLAIN is not enough, or @d has not
 * the work that it could take. It is shorter than CXX_MAX_MANGLED.
 */
char *cxx_name__demangle(const char *name, struct demangler *d);

/* So many back references that it takes another process: not to be done for thousands. */
bool cxx_name__is_heavy(const char *name);

/*
 * "_R..." (RFC 2603) as source text: paths without crate hashes, constants without types.
 * Returns the length written to @buf, or -1 for what is no such name or does not fit.
 */
int rust_v0__demangle(const char *name, char *buf, size_t size);

/*
 * What a C++ demangler makes of the older scheme ("core::fmt::write::h0123456789abcdef"), made
 * plain in place. Returns 0, or -1 when @name does not end in such a hash.
 */
int rust_legacy__clean(char *name);

#endif
