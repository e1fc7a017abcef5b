/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A database file of SQLite (www.sqlite.org/fileformat2.html) with tables whose rows come in the
 * order of their rowids, and views: each table is a B-tree that is filled from left to right, so
 * that a row costs little more than its bytes.
 *
 *	sqlite_file__init(&f);
 *	table = sqlite_file__table(&f, "event", "CREATE TABLE event(id INTEGER PRIMARY KEY, ...)");
 *	sqlite_row__null(&f.row);             // the rowid's column
 *	sqlite_row__text(&f.row, "cycles");   // as many as the table has columns
 *	sqlite_file__put(&f, table, 1);
 *	sqlite_file__write(&f, out);
 *	sqlite_file__free(&f);
 *
 * The first page is written last: so all is kept in memory, as much as the file has.
 */
#ifndef PERF_EXPORT_SQLITE_FILE_H
#define PERF_EXPORT_SQLITE_FILE_H

#include "../base/vec.h"
#include "../text/textbuf.h"

#define SQLITE_PAGE 8192
#define SQLITE_COLUMNS 12     /* of a table, at most */

/* A row that is being made: the types of its columns, and their bytes. All zero is empty. */
struct sqlite_row {
	u8 types[SQLITE_COLUMNS * 9];
	u32 types_len;
	struct textbuf values;
};

/* A page of a B-tree, and the last rowid in it. */
struct sqlite_child {
	u32 page;
	s64 last;
};

struct sqlite_table {
	const char *type, *name, *sql; /* borrowed */
	VEC(struct sqlite_child) leaves;
	u8 *leaf;                 /* the page that is being filled */
	u32 nr, start;            /* of its cells: how many, and where the first bytes are */
	s64 last;                 /* rowid */
};

struct sqlite_file {
	struct textbuf pages;     /* the file so far */
	VEC(struct sqlite_table) tables; /* and views, which have no rows */
	struct sqlite_row row;
};

/* @f: filled; for sqlite_file__free() */
void sqlite_file__init(struct sqlite_file *f);

/* Frees the memory. */
void sqlite_file__free(struct sqlite_file *f);

/*
 * Adds a table.
 * @name, @sql: its name, and what makes it; borrowed, as those of views
 * Returns: its number.
 */
u32 sqlite_file__table(struct sqlite_file *f, const char *name, const char *sql);

/*
 * Adds a view.
 * @name, @sql: as of a table
 */
void sqlite_file__view(struct sqlite_file *f, const char *name, const char *sql);

/* Adds a column that is NULL: also the one that is the rowid. */
void sqlite_row__null(struct sqlite_row *row);

/* Adds the number @v. */
void sqlite_row__number(struct sqlite_row *row, s64 v);

/* Adds the text @s, which must be UTF-8; NULL: none. */
void sqlite_row__text(struct sqlite_row *row, const char *s);

/*
 * Puts .row into a table, and empties it.
 * @table: its number
 * @rowid: greater than that of the row before
 */
void sqlite_file__put(struct sqlite_file *f, u32 table, s64 rowid);

/* Writes all to @out, which nothing was written to. The file can take no rows then. */
void sqlite_file__write(struct sqlite_file *f, struct textbuf *out);

#endif
