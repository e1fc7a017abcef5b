/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of a function as people read it: its instructions, with the lines of source text that
 * they were compiled from between them, in the order of addresses.
 */
#ifndef PERF_ANNOTATE_LISTING_H
#define PERF_ANNOTATE_LISTING_H

#include "../base/vec.h"
#include "../symbol/short-names.h"
#include "objdump.h"
#include "sources.h"

struct listing_opts {
	struct objdump_opts objdump;
	bool no_source;
	enum name_style names;
	const char *vmlinux; /* file with the code of the kernel; NULL: it cannot be shown */
};

enum listing_jump {
	NO_JUMP,
	JUMP_INSIDE,  /* in the function */
	JUMP_OUTSIDE, /* a call, or a jump to another function */
};

struct listing_line {
	bool is_code;
	bool is_source;   /* else a heading of the disassembler */
	u8 jump;          /* enum listing_jump, of code */
	u32 number;       /* of the line, as if the disassembler had printed all */
	u32 source_line;  /* of source text: in its file */
	u64 addr;         /* of code: in the table of the dso */
	u64 target;       /* of a jump, the same */
	const char *label; /* of code: the address as it is printed, "1190" */
	const char *text; /* without blanks around it; "" for an empty line */
};

struct listing {
	const struct dso *dso;
	const struct symbol *sym;
	const char *name; /* of .sym, as it is shown here */
	struct arena *arena;
	VEC(struct listing_line) lines;
	u32 label_width;  /* the longest label */
};

/*
 * Makes the listing of a function.
 * @l: filled; for listing__free(), also on failure
 * @dso, @sym: of @symbols; borrowed
 * @opts: not kept
 * Returns: 0; -errno with words: there is no code, or nothing to show it with.
 */
int listing__make(struct listing *l, struct symbols *symbols, struct sources *sources,
		  const struct dso *dso, const struct symbol *sym,
		  const struct listing_opts *opts, struct error *err);

/* Frees the lines. All zero is free. */
void listing__free(struct listing *l);

/* Returns: the line of code at, or last before, @addr; the number of lines: none. */
size_t listing__at(const struct listing *l, u64 addr);

#endif
