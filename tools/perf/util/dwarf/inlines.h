/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which functions the code of a unit is from: its functions, and what was inlined into them
 * (DW_TAG_subprogram and DW_TAG_inlined_subroutine; DWARF 5, section 3.3). Internal to this room.
 */
#ifndef PERF_DWARF_INLINES_H
#define PERF_DWARF_INLINES_H

#include "line-program.h"

struct dwarf_call;

/* One function, or one inlined call. */
struct inline_node {
	u64 entry;      /* offset in .debug_info of an entry that has its name, or refers to it */
	u32 parent;     /* what it was inlined into: index + 1; 0: nothing, it is a function */
	u32 call_file, call_line; /* where it is called, as the line table numbers files */
	u16 depth;      /* of inlining; 0: a function */
	struct dwarf_call *call; /* as it is handed out; NULL: not yet */
};

/* Code of one node: from .start to the next one's start. */
struct inline_range {
	u64 start;
	u32 node; /* index + 1; 0: of none */
};

/* The code of a unit, once somebody asks for it. */
struct unit_code {
	struct info *info;               /* where the entries are: another file if it was split */
	VEC(struct inline_node) nodes;
	VEC(struct inline_range) ranges; /* by start */
	struct line_table lines;
};

/*
 * Reads the functions of a unit.
 * @info: the file of the unit
 * @u: its first entry and its abbreviations have been read
 * @code: its .nodes and .ranges are filled
 */
void unit_code__read_functions(struct info *info, struct unit *u, struct unit_code *code);

/* Frees all of it. @code may be NULL. */
void unit_code__free(struct unit_code *code);

/* Returns: the innermost node that has code at @addr: its index + 1; 0: none. */
u32 unit_code__node_at(const struct unit_code *code, u64 addr);

/* Returns: the bytes that it takes. */
u64 unit_code__size(const struct unit_code *code);

/*
 * Finds the name of an entry: its linkage name, or the plain one, its own or that of the entries
 * that it refers to, which may be in other units and in the alternative file.
 * @info: its file
 * @offset: in .debug_info
 * @first_line: out: the line that it is declared in, or an entry that it refers to; 0: unknown
 * Returns: the name as in the file; NULL: it has none.
 */
const char *info__name_of(struct info *info, u64 offset, u32 *first_line);

#endif
