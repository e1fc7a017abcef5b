/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * .gopclntab, the table of functions of Go's runtime, in the format of Go 1.18 and later. Every Go
 * program has it, stripped or not.
 */
#ifndef PERF_UNWIND_ELF_GOPCLNTAB_H
#define PERF_UNWIND_ELF_GOPCLNTAB_H

#include "elf-image.h"

struct gopclntab {
	struct bytes names; /* strings; cut behind the last NUL */
	struct bytes steps; /* how SP moves: lists of numbers */
	struct bytes funcs; /* the list of functions, and their descriptions */
	u64 text;           /* what addresses in the table are relative to */
	u64 nr;             /* functions, in ascending order */
	u32 flags;          /* offset in a description */
	u8 min_code;        /* bytes of the shortest instruction */
};

enum go_flags {
	GO_TOP_FRAME = 1 << 0, /* nothing called it */
	GO_SP_WRITE = 1 << 1,  /* it goes to another stack */
};

struct go_func {
	u64 start, end;   /* with the padding behind it */
	const char *name; /* or NULL */
	u32 steps;        /* offset of its list; 0: it has none */
	u8 flags;         /* enum go_flags */
};

/*
 * Reads the table's header; @g points into the image. Returns: 0; -ENOENT: there is no table, or
 * one of an unknown format.
 */
int gopclntab__open(struct gopclntab *g, const struct elf_image *img);

/* Returns: the number of the last function that begins at @vaddr or before; 0: there is none. */
u64 gopclntab__find(const struct gopclntab *g, u64 vaddr);

/* Reads function @i. Returns: false when there is none, or its entry is damaged. */
bool gopclntab__func(const struct gopclntab *g, u64 i, struct go_func *f);

#endif
