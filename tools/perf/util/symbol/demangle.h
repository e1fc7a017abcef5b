/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of C++, Rust and OCaml as their programmers wrote them. Internal to this room. */
#ifndef PERF_SYMBOL_DEMANGLE_H
#define PERF_SYMBOL_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/budget.h"

struct arena;

/*
 * Demangled @name in @arena, or @name itself when it is not a mangled one, or one that would
 * become absurdly long.
 *
 * @work: what may be spent on names that are not small, each of which can be made to print
 * megabytes that nobody sees, or to take a process of its own for a second; a symbol table has as
 * many as its maker likes. In bytes that are printed, of which NAME_MS_BYTES take a millisecond of
 * CPU. NULL: no limit.
 */
const char *symbol_name__demangle(struct arena *arena, const char *name, struct budget *work);

#define NAME_MS_BYTES (1ULL << 17)
#define HEAVY_NAME_MS 1000 /* what one that is given up costs */
#define HEAVY_NAME_WORK (HEAVY_NAME_MS * NAME_MS_BYTES)
#define NAMES_WORK (20 * HEAVY_NAME_WORK) /* for all names of a run */

#define CXX_MAX_PLAIN 65536

/*
 * "_Z...": to be freed; NULL when it is no such name, CXX_MAX_PLAIN is not enough, or @work has not
 * what it could take.
 */
char *cxx_name__demangle(const char *name, struct budget *work);

/* So many back references that it takes a process of its own: not to be done for thousands. */
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
