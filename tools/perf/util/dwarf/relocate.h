/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Relocatable files (ET_REL: kernel modules, their debug files, objects of JIT compilers). Their
 * sections have no addresses, and their debug information has holes in the places of addresses,
 * which relocations fill.
 */
#ifndef PERF_DWARF_RELOCATE_H
#define PERF_DWARF_RELOCATE_H

#include "../elf/elf-file.h"

/* Where the sections of a relocatable file lie. */
struct elf_layout {
	u64 *addrs; /* by the section's number; NULL: the file is not relocatable */
	u32 nr;
};

/*
 * Says where the sections lie: at their addresses, if a program that has loaded the file has set
 * these; else where Linux puts a module's, counted from its begin: the code in the order of the
 * sections, and behind it what only initializes the module, and data.
 * @l: filled, for elf_layout__free()
 */
void elf_layout__init(struct elf_layout *l, const struct elf_image *img);

/* Also of one that is all zero. */
void elf_layout__free(struct elf_layout *l);

/* Returns: whether the file has relocations for a section, @scn, that elf_layout__apply() knows. */
bool elf_layout__changes(const struct elf_layout *l, const struct elf_image *img, Elf_Scn *scn);

/*
 * Fills the holes of a section. Relocations of kinds that debug information does not have (those
 * of code) are left out.
 * @scn: the section
 * @data, @len: its contents, unpacked
 */
void elf_layout__apply(const struct elf_layout *l, const struct elf_image *img, Elf_Scn *scn,
		       u8 *data, size_t len);

/*
 * Finds a function or label in the symbol table.
 * @visit: called for each symbol that has a place in a section, with its address by @l; returns
 *         false to end the search
 */
void elf_layout__symbols(const struct elf_layout *l, struct elf_image *img,
			 bool (*visit)(void *ctx, const char *name, u64 addr), void *ctx);

#endif
