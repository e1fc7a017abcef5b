/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Line programs (DWARF 5, section 6.2; versions 2 to 5): from addresses to lines of files. Internal
 * to this room.
 */
#ifndef PERF_DWARF_LINE_PROGRAM_H
#define PERF_DWARF_LINE_PROGRAM_H

#include "unit.h"

struct line_row {
	u64 addr; /* of the first instruction; the next row ends it */
	u32 line, file;
};

/* A run of rows of ascending addresses, without a gap. */
struct line_sequence {
	u64 start, end;
	u32 first, nr; /* rows */
};

struct line_table {
	VEC(struct line_row) rows;
	VEC(struct line_sequence) sequences; /* by start */
	/*
	 * By number, as rows and DW_AT_call_file have it: as they are in the file, perhaps with
	 * directories; borrowed, never NULL.
	 */
	VEC(const char *) files;
	VEC(u32) dir_of;             /* of each of these: index of its directory */
	VEC(const char *) dirs;      /* by number; borrowed, never NULL */
	const char *comp_dir;        /* of the unit: what those are in; borrowed, "": unknown */
	VEC(const char *) paths;     /* by number: line_table__path(); NULL: not made yet */
};

#define LINE_ROWS_MAX (1u << 22) /* 64 MB, of one program */

/*
 * Reads the line program of a unit.
 * @info: the file of the unit
 * @u: its first entry has been read
 * @t: all zero; to be freed in any case
 */
void line_table__read(struct info *info, const struct unit *u, struct line_table *t);

/* Frees the vectors. */
void line_table__free(struct line_table *t);

/* Returns: the row of an address, @addr; NULL: none. */
const struct line_row *line_table__find(const struct line_table *t, u64 addr);

/*
 * Finds the name of a file, with its directories.
 * @number: as rows have it
 * @arena: keeps it; one name of all units is there once
 * Returns: the name, absolute as far as the unit says its directory, at most PATH_MAX bytes, or as
 *          it is in the table; NULL: there is none. It is made once, so for one thread at a time.
 */
const char *line_table__path(struct line_table *t, u64 number, struct arena *arena);

#endif
