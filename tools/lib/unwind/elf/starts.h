/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Where functions begin, by the symbol tables of a binary: addresses only. For code without rows.
 */
#ifndef PERF_UNWIND_ELF_STARTS_H
#define PERF_UNWIND_ELF_STARTS_H

#include "elf-image.h"

struct starts;

/* Reads .symtab and .dynsym of @img, which must live longer. Returns: NULL when out of memory. */
struct starts *starts__new(const struct elf_image *img);

/* NULL is fine. */
void starts__free(struct starts *s);

/*
 * Finds the function that holds @vaddr, by its size.
 * @start, @end: out: its first address, and the one behind it
 * Returns: false when it is not known.
 */
bool starts__find(const struct starts *s, u64 vaddr, u64 *start, u64 *end);

#endif
