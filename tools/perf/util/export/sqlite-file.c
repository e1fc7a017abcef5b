// SPDX-License-Identifier: GPL-2.0-only
#include "sqlite-file.h"

#include <stdlib.h>
#include <string.h>

#include "../base/log.h"

#define FILE_HEADER 100       /* in the first page, before the page's own */
#define LEAF 0x0d
#define LEAF_HEADER 8
#define INTERIOR 0x05
#define INTERIOR_HEADER 12
#define VARINT_MAX 9
#define CHILDREN_MAX ((SQLITE_PAGE - INTERIOR_HEADER) / (2 + 4 + VARINT_MAX))
#define LOCAL_MAX (SQLITE_PAGE - 35) /* bytes of a longer row go into pages of their own: ... */
#define LOCAL_MIN ((SQLITE_PAGE - 12) * 32 / 255 - 23)
#define OVERFLOW_ROOM (SQLITE_PAGE - 4)
#define LOCK_PAGE (0x40000000 / SQLITE_PAGE + 1) /* is never used: SQLite locks bytes there */
#define FORMAT_VERSION 3040000 /* of the SQLite that writes likewise */

/* Numbers are big-endian. */
static void put_be(void *to, u64 v, u32 size)
{
	u8 *p = to;

	for (u32 i = 0; i < size; i++)
		p[i] = v >> 8 * (size - 1 - i);
}

/* Seven bits in a byte, the highest first, and all eight of a ninth one. Returns the bytes. */
static u32 put_varint(u8 *p, u64 v)
{
	u32 size = 1;

	if (v >> 56) {
		for (u32 i = 0; i < 8; i++)
			p[i] = 0x80 | (v >> (57 - 7 * i) & 0x7f);
		p[8] = v;
		return 9;
	}
	while (v >> 7 * size)
		size++;
	for (u32 i = 0; i < size; i++)
		p[i] = (v >> 7 * (size - 1 - i) & 0x7f) | (i + 1 < size ? 0x80 : 0);
	return size;
}

void sqlite_file__init(struct sqlite_file *f)
{
	*f = (struct sqlite_file){};
	textbuf__init(&f->pages, -1);
	textbuf__init(&f->row.values, -1);
	memset(textbuf__room(&f->pages, SQLITE_PAGE), 0, SQLITE_PAGE);
	f->pages.len = SQLITE_PAGE; /* the first page */
}

void sqlite_file__free(struct sqlite_file *f)
{
	for (size_t i = 0; i < f->tables.nr; i++) {
		vec__free(&f->tables.v[i].leaves);
		free(f->tables.v[i].leaf);
	}
	vec__free(&f->tables);
	textbuf__free(&f->pages);
	textbuf__free(&f->row.values);
}

static void start_leaf(struct sqlite_table *t)
{
	memset(t->leaf, 0, SQLITE_PAGE);
	t->nr = 0;
	t->start = SQLITE_PAGE;
}

u32 sqlite_file__table(struct sqlite_file *f, const char *name, const char *sql)
{
	struct sqlite_table *t = vec__push(&f->tables);

	*t = (struct sqlite_table){
		.type = "table", .name = name, .sql = sql, .leaf = xmalloc(SQLITE_PAGE),
	};
	start_leaf(t);
	return f->tables.nr - 1;
}

void sqlite_file__view(struct sqlite_file *f, const char *name, const char *sql)
{
	*vec__push(&f->tables) = (struct sqlite_table){ .type = "view", .name = name, .sql = sql };
}

static void add_type(struct sqlite_row *row, u64 type)
{
	BUG_ON(row->types_len + VARINT_MAX > sizeof(row->types));
	row->types_len += put_varint(row->types + row->types_len, type);
}

void sqlite_row__null(struct sqlite_row *row)
{
	add_type(row, 0);
}

/* 0 and 1 are types; else the type says of how many bytes it is. */
void sqlite_row__number(struct sqlite_row *row, s64 v)
{
	static const u8 sizes[] = { 1, 2, 3, 4, 6, 8 };
	u32 i = 0;

	if (v == 0 || v == 1) {
		add_type(row, 8 + v);
		return;
	}
	while (i + 1 < ARRAY_SIZE(sizes) && v >> (8 * sizes[i] - 1) != v >> 63)
		i++;
	add_type(row, i + 1);
	put_be(textbuf__room(&row->values, sizes[i]), v, sizes[i]);
	row->values.len += sizes[i];
}

void sqlite_row__text(struct sqlite_row *row, const char *s)
{
	size_t len = s ? strlen(s) : 0;

	add_type(row, s ? 2 * len + 13 : 0);
	if (len)
		textbuf__put(&row->values, s, len);
}

/* Returns the number of the page that will be added next. */
static u32 next_page(struct sqlite_file *f)
{
	u32 page = f->pages.len / SQLITE_PAGE + 1;

	if (page != LOCK_PAGE)
		return page;
	memset(textbuf__room(&f->pages, SQLITE_PAGE), 0, SQLITE_PAGE);
	f->pages.len += SQLITE_PAGE;
	return page + 1;
}

static u32 add_page(struct sqlite_file *f, const u8 *page)
{
	u32 nr = next_page(f);

	textbuf__put(&f->pages, (const char *)page, SQLITE_PAGE);
	return nr;
}

/* @kind: LEAF or INTERIOR */
static void put_header(u8 *page, u8 kind, u32 nr, u32 start)
{
	page[0] = kind;
	put_be(page + 3, nr, 2);
	put_be(page + 5, start, 2);
}

static void end_leaf(struct sqlite_file *f, struct sqlite_table *t)
{
	put_header(t->leaf, LEAF, t->nr, t->start);
	*vec__push(&t->leaves) = (struct sqlite_child){ add_page(f, t->leaf), t->last };
	start_leaf(t);
}

/* Puts what a page of the tree has no room for into pages of its own. Returns the first of them. */
static u32 add_overflow(struct sqlite_file *f, const char *p, size_t len)
{
	u32 first = next_page(f), nr = first;

	while (len) {
		size_t n = min_of(len, (size_t)OVERFLOW_ROOM);
		char *page;

		nr = next_page(f);
		page = textbuf__room(&f->pages, SQLITE_PAGE);
		memset(page, 0, SQLITE_PAGE);
		memcpy(page + 4, p, n);
		f->pages.len += SQLITE_PAGE;
		p += n;
		len -= n;
		if (len)
			put_be(f->pages.buf + (size_t)(nr - 1) * SQLITE_PAGE, next_page(f), 4);
	}
	return first;
}

/* What a row has: its types behind their size, and its values. Returns it in .values. */
static void join_row(struct sqlite_row *row)
{
	size_t types = row->types_len + 1, len = row->values.len;
	char *p;

	textbuf__room(&row->values, types);
	p = row->values.buf;
	memmove(p + types, p, len);
	p[0] = types; /* less than 128: a varint of one byte */
	memcpy(p + 1, row->types, row->types_len);
	row->values.len += types;
	row->types_len = 0;
}

void sqlite_file__put(struct sqlite_file *f, u32 table, s64 rowid)
{
	struct sqlite_table *t = &f->tables.v[table];
	struct sqlite_row *row = &f->row;
	u8 head[2 * VARINT_MAX];
	size_t size, local, cell;
	u32 head_len;
	u8 *p;

	join_row(row);
	size = local = row->values.len;
	if (size > LOCAL_MAX) {
		local = LOCAL_MIN + (size - LOCAL_MIN) % OVERFLOW_ROOM;
		local = local <= LOCAL_MAX ? local : LOCAL_MIN;
	}
	head_len = put_varint(head, size);
	head_len += put_varint(head + head_len, rowid);
	cell = head_len + local + (local < size ? 4 : 0);
	if (LEAF_HEADER + 2 * (t->nr + 1) + cell > t->start)
		end_leaf(f, t);
	t->start -= cell;
	put_be(t->leaf + LEAF_HEADER + 2 * t->nr++, t->start, 2);
	t->last = rowid;
	p = t->leaf + t->start;
	memcpy(p, head, head_len);
	memcpy(p + head_len, row->values.buf, local);
	if (local < size)
		put_be(p + head_len + local, add_overflow(f, row->values.buf + local, size - local),
		       4);
	row->values.len = 0;
}

/* Puts pages of a level, at least two, under one page. */
static struct sqlite_child add_interior(struct sqlite_file *f, const struct sqlite_child *v,
					size_t nr)
{
	u8 page[SQLITE_PAGE] = {}, cell[4 + VARINT_MAX];
	u32 start = SQLITE_PAGE, last = nr - 1, size;

	for (u32 i = 0; i < last; i++) {
		put_be(cell, v[i].page, 4);
		size = 4 + put_varint(cell + 4, v[i].last);
		start -= size;
		memcpy(page + start, cell, size);
		put_be(page + INTERIOR_HEADER + 2 * i, start, 2);
	}
	put_header(page, INTERIOR, last, start);
	put_be(page + 8, v[last].page, 4);
	return (struct sqlite_child){ add_page(f, page), v[last].last };
}

/* Returns the page that is the root of the table's tree. */
static u32 end_table(struct sqlite_file *f, struct sqlite_table *t)
{
	struct sqlite_child *v;

	if (t->nr || !t->leaves.nr)
		end_leaf(f, t);
	v = t->leaves.v;
	while (t->leaves.nr > 1) {
		size_t nr = t->leaves.nr, pages = (nr + CHILDREN_MAX - 1) / CHILDREN_MAX;

		for (size_t i = 0; i < pages; i++) {
			size_t from = nr * i / pages;

			v[i] = add_interior(f, v + from, nr * (i + 1) / pages - from);
		}
		t->leaves.nr = pages;
	}
	return v[0].page;
}

/* The table of tables is on the first page. */
static void put_schema(struct sqlite_file *f, const u32 *roots)
{
	struct sqlite_file schema;
	struct sqlite_table *t;

	sqlite_file__init(&schema);
	sqlite_file__table(&schema, "", "");
	t = schema.tables.v;
	for (size_t i = 0; i < f->tables.nr; i++) {
		sqlite_row__text(&schema.row, f->tables.v[i].type);
		sqlite_row__text(&schema.row, f->tables.v[i].name);
		sqlite_row__text(&schema.row, f->tables.v[i].name);
		sqlite_row__number(&schema.row, roots[i]);
		sqlite_row__text(&schema.row, f->tables.v[i].sql);
		sqlite_file__put(&schema, 0, i + 1);
	}
	BUG_ON(t->leaves.nr || t->start < FILE_HEADER + LEAF_HEADER + 2 * t->nr);
	memcpy(f->pages.buf, t->leaf, SQLITE_PAGE);
	memmove(f->pages.buf + FILE_HEADER + LEAF_HEADER, t->leaf + LEAF_HEADER, 2 * t->nr);
	put_header((u8 *)f->pages.buf + FILE_HEADER, LEAF, t->nr, t->start);
	sqlite_file__free(&schema);
}

static void put_file_header(struct sqlite_file *f)
{
	char *p = f->pages.buf;

	memset(p, 0, FILE_HEADER);
	memcpy(p, "SQLite format 3", 16);
	put_be(p + 16, SQLITE_PAGE, 2);
	p[18] = p[19] = 1;    /* no write-ahead log */
	p[21] = 64;           /* these three are always so */
	p[22] = p[23] = 32;
	put_be(p + 24, 1, 4); /* changes; the same at the end: the number of pages is right */
	put_be(p + 28, f->pages.len / SQLITE_PAGE, 4);
	put_be(p + 40, 1, 4); /* changes of the schema */
	put_be(p + 44, 4, 4); /* its format: 0 and 1 are types of numbers */
	put_be(p + 56, 1, 4); /* UTF-8 */
	put_be(p + 92, 1, 4);
	put_be(p + 96, FORMAT_VERSION, 4);
}

void sqlite_file__write(struct sqlite_file *f, struct textbuf *out)
{
	u32 *roots = xcalloc(f->tables.nr, sizeof(*roots));

	for (size_t i = 0; i < f->tables.nr; i++)
		if (f->tables.v[i].leaf)
			roots[i] = end_table(f, &f->tables.v[i]);
	put_schema(f, roots);
	put_file_header(f);
	textbuf__put(out, f->pages.buf, f->pages.len);
	free(roots);
}
