/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes ELF files whose DWARF follows its grammar and need not make sense: bytes that a fuzzer
 * chooses say which units, abbreviations, entries, attributes, forms, ranges and lines there are.
 * A change of one byte is another tree, and not a tree cut short. References lead to entries that
 * there are, to themselves, or out of the section; tables have the sizes that they say, or not.
 *
 * Units of DWARF 2 to 5, of 32 and 64 bits, whole, split (.dwo), skeletons and partial ones, with
 * the index of a package; sections as they are, compressed by zlib in both ways that ELF has, or
 * said to be compressed. Strings are few. The code is that of debug-file.h.
 */
#ifndef PERF_TESTS_LIB_DWARF_GRAMMAR_H
#define PERF_TESTS_LIB_DWARF_GRAMMAR_H

#include "../../../lib/unwind/core/types.h"

/*
 * @choices, @nr: the bytes that choose; when they are used up, the smallest there is
 * @size: out
 * Returns: the file, to be freed; at most some 300 kB.
 */
u8 *dwarf_grammar__make(const u8 *choices, size_t nr, size_t *size);

#endif
