/* SPDX-License-Identifier: GPL-2.0-only */
/* Source lines from DWARF, read when first asked for. Internal to this room. */
#ifndef PERF_SYMBOL_SRCLINE_H
#define PERF_SYMBOL_SRCLINE_H

#include "../base/budget.h"
#include "../base/mem.h"
#include "../elf/elf-file.h"

struct srclines;

bool srclines__are_in(const struct elf_image *img);

/*
 * @alt: the file that .gnu_debugaltlink of @img names, or an image that is not opened: it is not
 * looked for here. Both must outlive it. libdw unpacks all that is compressed in them, which counts
 * against @memory until srclines__free(); NULL: without limit. Never NULL; one of an image that is
 * not opened, or for which there is not so much left, has no lines.
 */
struct srclines *srclines__new(const struct elf_image *img, const struct elf_image *alt,
			       struct budget *memory);
bool srclines__lack_memory(const struct srclines *s); /* it is for want of memory */
void srclines__free(struct srclines *s); /* NULL is fine */

/* "main.c:12", interned in @arena; NULL: no line for @addr. */
const char *srclines__find(struct srclines *s, u64 addr, struct arena *arena);

#endif
