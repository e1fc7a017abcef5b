/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of an ELF file, and what its procedure linkage tables call. Internal. */
#ifndef PERF_SYMBOL_ELF_SYMBOLS_H
#define PERF_SYMBOL_ELF_SYMBOLS_H

#include "../elf/elf-file.h"
#include "symtab.h"

/* Adds the functions of .symtab and .dynsym. Names point into the image. */
void elf_image__add_symbols(struct elf_image *img, struct symtab *t);
bool elf_image__has_symtab(const struct elf_image *img);

/* Adds those that Go's runtime knows of, which are left when a program is stripped. */
void elf_image__add_go_symbols(const struct elf_image *img, struct symtab *t);

/* Adds "name@plt" for the entries of the procedure linkage tables. (elf-plt.c) */
void elf_image__add_plt(struct elf_image *img, struct symtab *t, struct arena *arena);

#endif
