/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Unwind sections of relocatable files (.o, .ko): relocated as if each section were loaded at its
 * offset in the file.
 */
#ifndef PERF_UNWIND_ELF_RELOCATE_H
#define PERF_UNWIND_ELF_RELOCATE_H

#include "elf-image.h"

/*
 * Copies a section's bytes, and relocates them. Only relocations that say "how far from here" are
 * applied, as these sections have no other ones that matter; one to a symbol that is not in the
 * file makes the address 0, where no code is.
 * @out: what is returned, and its size
 * Returns: the bytes, to be freed with img->env; NULL when the section has none, or out of memory.
 */
u8 *elf_image__relocated(const struct elf_image *img, Elf_Scn *scn, struct bytes *out);

#endif
