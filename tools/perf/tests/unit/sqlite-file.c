// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "../../util/export/sqlite-file.h"
#include "../test.h"

#define ROWS 12000

/* What is found in a file, by its format alone. */
struct reader {
	const u8 *file;
	size_t len;
	s64 row;                  /* the last one */
	u32 depth;
	struct textbuf payload;
};

static u64 be(const u8 *p, u32 size)
{
	u64 v = 0;

	while (size--)
		v = v << 8 | *p++;
	return v;
}

static const u8 *varint(const u8 *p, u64 *v)
{
	*v = 0;
	for (int i = 0; i < 8; i++) {
		*v = *v << 7 | (*p & 0x7f);
		if (!(*p++ & 0x80))
			return p;
	}
	*v = *v << 8 | *p;
	return p + 1;
}

/* Lengths around those at which rows leave their page, go on to another, and to a third. */
static size_t length_of(u32 row)
{
	static const size_t edges[] = { 0, 500, 8150, 8160, 9180, 16340, 65535 };

	return row % 100 ? 500 + row % 7 : edges[row / 100 % ARRAY_SIZE(edges)] + row / 700 % 17;
}

static s64 number_of(u32 row)
{
	s64 v = row % 3 ? INT64_MAX >> row % 64 : INT64_MIN >> row % 64;

	return v + row % 2;
}

static const u8 *page_at(const struct reader *r, u64 page)
{
	TEST_TRUE(page && page * SQLITE_PAGE <= r->len);
	return r->file + (page - 1) * SQLITE_PAGE;
}

/* What is checked of a row: a number, and as many letters as length_of() says. */
static void check_row(const struct reader *r, u32 row)
{
	static const u8 sizes[] = { 0, 1, 2, 3, 4, 6, 8 };
	const u8 *p = (const u8 *)r->payload.buf, *values = p + *p;
	u64 null, number, text;
	s64 v;

	p = varint(varint(varint(p + 1, &null), &number), &text);
	TEST_TRUE(p == values && !null);
	if (number >= 8) {
		v = number - 8;
	} else {
		v = (s64)(be(values, sizes[number]) << (64 - 8 * sizes[number])) >>
		    (64 - 8 * sizes[number]);
		values += sizes[number];
	}
	TEST_EQ(v, number_of(row));
	TEST_EQ(text, 2 * length_of(row) + 13);
	for (size_t i = 0; i < length_of(row); i++)
		if (values[i] != 'a' + (row + i) % 26)
			TEST_FAIL("row %u differs at %zu", row, i);
	TEST_EQ(values - (u8 *)r->payload.buf + length_of(row), r->payload.len);
}

static void read_cell(struct reader *r, const u8 *p)
{
	u64 size, rowid, local, next;

	p = varint(varint(p, &size), &rowid);
	TEST_EQ(rowid, ++r->row);
	local = size;
	if (size > SQLITE_PAGE - 35) {
		u64 least = (SQLITE_PAGE - 12) * 32 / 255 - 23;

		local = least + (size - least) % (SQLITE_PAGE - 4);
		local = local > SQLITE_PAGE - 35 ? least : local;
	}
	r->payload.len = 0;
	textbuf__put(&r->payload, (const char *)p, local);
	next = local < size ? be(p + local, 4) : 0;
	for (; next; next = be(page_at(r, next), 4))
		textbuf__put(&r->payload, (const char *)page_at(r, next) + 4,
			     min_of(size - r->payload.len, (u64)SQLITE_PAGE - 4));
	TEST_EQ(r->payload.len, size);
	check_row(r, r->row);
}

static void read_tree(struct reader *r, u64 nr, u32 depth)
{
	const u8 *page = page_at(r, nr), *cells;
	u32 cells_nr = be(page + 3, 2);
	u64 key;

	cells = page + (*page == 5 ? 12 : 8);
	if (*page == 13)
		r->depth = depth;
	else
		TEST_TRUE(*page == 5 && cells_nr);
	for (u32 i = 0; i < cells_nr; i++) {
		const u8 *cell = page + be(cells + 2 * i, 2);

		if (*page == 13) {
			read_cell(r, cell);
			continue;
		}
		read_tree(r, be(cell, 4), depth + 1);
		varint(cell + 4, &key);
		TEST_EQ(key, r->row);
	}
	if (*page == 5)
		read_tree(r, be(page + 8, 4), depth + 1);
}

TEST(sqlite_file, "rows of all sizes are found again in the pages of a database")
{
	struct sqlite_file f;
	struct textbuf out;
	struct reader r = {};
	char *text = xmalloc(70000);

	sqlite_file__init(&f);
	sqlite_file__table(&f, "t", "CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER, s TEXT)");
	sqlite_file__view(&f, "v", "CREATE VIEW v AS SELECT n FROM t");
	for (u32 row = 1; row <= ROWS; row++) {
		for (size_t i = 0; i < length_of(row); i++)
			text[i] = 'a' + (row + i) % 26;
		text[length_of(row)] = '\0';
		sqlite_row__null(&f.row);
		sqlite_row__number(&f.row, number_of(row));
		sqlite_row__text(&f.row, text);
		sqlite_file__put(&f, 0, row);
	}
	textbuf__init(&out, -1);
	textbuf__init(&r.payload, -1);
	sqlite_file__write(&f, &out);
	r.file = (const u8 *)out.buf;
	r.len = out.len;
	TEST_STR((const char *)r.file, "SQLite format 3");
	TEST_EQ(be(r.file + 28, 4) * SQLITE_PAGE, r.len);
	TEST_EQ(be(r.file + 103, 2), 2); /* a table, a view */
	/* Of the table's row in the first page the root is in front of the words that make it. */
	read_tree(&r, be(memmem(r.file, SQLITE_PAGE, "CREATE TABLE", 12) - 2, 2), 1);
	TEST_EQ(r.row, ROWS);
	TEST_EQ(r.depth, 3);
	textbuf__free(&r.payload);
	textbuf__free(&out);
	sqlite_file__free(&f);
	free(text);
}
