/* SPDX-License-Identifier: GPL-2.0-only */
/* Source lines from DWARF, read when first asked for. Internal to this room. */
#ifndef PERF_SYMBOL_SRCLINE_H
#define PERF_SYMBOL_SRCLINE_H

#include "../base/budget.h"
#include "../base/mem.h"
#include "../elf/elf-file.h"

struct srclines;

/* Returns: whether the image has DWARF lines. */
bool srclines__are_in(const struct elf_image *img);

/*
 * libdw unpacks all that is compressed in the images.
 * @img: the image with the lines; borrowed
 * @alt: the file that .gnu_debugaltlink of it names, or an image that is not opened; borrowed
 * @memory: what is unpacked counts against it, until srclines__free(); NULL: no limit
 * Returns: what srclines__free() frees. Never NULL; it has no lines if the image is not opened, or
 *         @memory does not suffice.
 */
struct srclines *srclines__new(const struct elf_image *img, const struct elf_image *alt,
			       struct budget *memory);

/* Returns: whether there are no lines because the memory did not suffice. */
bool srclines__lack_memory(const struct srclines *s);

/* @s may be NULL. */
void srclines__free(struct srclines *s);

/* Returns: the line of @addr, "main.c:12", interned in @arena; NULL: none is known. */
const char *srclines__find(struct srclines *s, u64 addr, struct arena *arena);

#endif
