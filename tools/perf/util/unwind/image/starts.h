/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where functions begin, by the symbol tables of a binary: addresses only. For code without rows.
 */
#ifndef PERF_UNWIND_IMAGE_STARTS_H
#define PERF_UNWIND_IMAGE_STARTS_H

#include "../../elf/elf-image.h"

struct starts;

/* Reads .symtab and .dynsym. Never NULL. */
struct starts *starts__new(const struct elf_image *img);
void starts__free(struct starts *s);

/* The first address of the function that holds @vaddr, by its size. False: not known. */
bool starts__find(const struct starts *s, u64 vaddr, u64 *start);

#endif
