/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of Rust programs in both mangling schemes, and of OCaml. Internal to this room. */
#ifndef PERF_SYMBOL_DEMANGLE_RUST_H
#define PERF_SYMBOL_DEMANGLE_RUST_H

#include <stddef.h>

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
