/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of an ELF file, and what its procedure linkage tables call. Internal. */
#ifndef PERF_SYMBOL_ELF_SYMBOLS_H
#define PERF_SYMBOL_ELF_SYMBOLS_H

#include "../elf/elf-file.h"
#include "symtab.h"

/* Adds the functions of .symtab and .dynsym to @t. Names point into the image. */
void elf_image__add_symbols(struct elf_image *img, struct symtab *t);

/* Adds the variables of .symtab and .dynsym to @t. Names point into the image. */
void elf_image__add_data(struct elf_image *img, struct symtab *t);

/*
 * Finds the segment of data, which may lie behind what is in the file.
 * @offset: in the file, as mapped
 * Returns: NULL when it is in none.
 */
const struct elf_load *elf_image__data_load(const struct elf_image *img, u64 offset);

/* Returns: whether the image has a .symtab. */
bool elf_image__has_symtab(const struct elf_image *img);

/* Adds the functions in the table of Go's runtime, which stripped programs still have. */
void elf_image__add_go_symbols(const struct elf_image *img, struct symtab *t);

/*
 * elf-plt.c: adds "name@plt" for the entries of the procedure linkage tables; the names are in
 * @arena.
 */
void elf_image__add_plt(struct elf_image *img, struct symtab *t, struct arena *arena);

#endif
