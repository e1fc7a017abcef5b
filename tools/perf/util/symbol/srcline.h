/* SPDX-License-Identifier: GPL-2.0-only */
/* Source lines from DWARF, read when first asked for. Internal to this room. */
#ifndef PERF_SYMBOL_SRCLINE_H
#define PERF_SYMBOL_SRCLINE_H

#include "../base/elf-image.h"

struct srclines;

bool srclines__are_in(const struct elf_image *img);

/* @img must outlive it. Never NULL; one for NULL has no lines. */
struct srclines *srclines__new(const struct elf_image *img);
void srclines__free(struct srclines *s); /* NULL is fine */

/* "main.c:12", interned in @arena; NULL: no line for @addr. */
const char *srclines__find(struct srclines *s, u64 addr, struct arena *arena);

#endif
