// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of row tables as an earlier run could have left them, and look-ups in what is read of them.
 *
 * The first byte of an input says what it is: 0, the whole file; else changes of a good file, of
 * four bytes each: a place, for the first 2 kB or the rest, and the new value of a byte. With 1 no
 * checksum is made right behind that, with 2 those of the pages, with 3 that of the head as well.
 */
#include "../../util/elf/elf-file.h"
#include "../../util/io/mapfile.h"
#include "../../../lib/unwind/rows/rows-file.h"
#include "input.h"

#define TEXT 0x401000ULL
#define PAGES 3
#define TEXT_SIZE (PAGES * ROWS_PAGE_SIZE - 0x800)
#define HEAD 2048

static const struct rows_cache_key key = { .maker = 1, .shape = 2, .id_size = 3 };

/* A row for every 251 bytes, of 61 rules, and a hole at the end of each page. */
static void fill(void *private, u64 from, u64 to, struct rows_builder *b)
{
	struct row_rule rule = {
		.cfa = ROW_HOW(ROW_CFA_REG, 7), .ra = ROW_HOW(ROW_LOC_AT_CFA, 0), .ra_off = -8,
	};

	(void)private;
	if (!rows_builder__function(b, from, to - 0x1000))
		return;
	for (u64 at = from; at < to; at += 251) {
		rule.cfa_off = 8 + at % 61 * 8;
		if (!rows_builder__row(b, at, &rule))
			return;
	}
}

static struct rows *make_rows(void)
{
	const struct rows_range range = { TEXT, TEXT + TEXT_SIZE };
	const struct rows_source source = { .fill = fill };

	return rows__new(&perf_env, &unwind_arch_x86_64, &range, 1, &source, 1);
}

static u8 *make_file(size_t *size)
{
	struct rows *r = make_rows();
	void *file;

	for (u64 at = TEXT; at < TEXT + TEXT_SIZE; at += ROWS_PAGE_SIZE)
		rows__find(r, at);
	file = rows_cache__encode(NULL, r, &key, size);
	rows__free(r);
	return file;
}

static void seal(u8 *file, size_t size, u8 how)
{
	struct rows_file *f = (void *)file;
	u64 pages_at = f->nr_rules <= 1U << 16 ? rows_file__pages_at(f->nr_rules) : size;
	struct rows_file_page *pages = (void *)(file + pages_at);

	if (pages_at + PAGES * sizeof(*pages) > size)
		return;
	for (u32 i = 0; i < PAGES; i++) {
		u64 at = pages_at + PAGES * sizeof(*pages) + pages[i].offset / 2 * 2;

		if (pages[i].nr <= UINT16_MAX && at + 4ULL * pages[i].nr <= size)
			pages[i].sum = rows_file__page_sum(&key, i, (u16 *)(file + at),
							   pages[i].nr);
	}
	if (how == 3)
		f->sum = rows_file__sum(f);
}

/* Every look-up must end in the table, whatever the file said. */
static void look_up(struct rows *r)
{
	struct row row;
	u64 at = TEXT;

	for (; at < TEXT + TEXT_SIZE; at += 499)
		FUZZ_TRUE(ROW_KIND(rows__find(r, at)->cfa) <= ROW_CFA_EVAL);
	for (at = 0; rows__row(r, at, &row); at = row.end)
		FUZZ_TRUE(row.end > at && row.end <= TEXT + TEXT_SIZE);
	FUZZ_TRUE(at == TEXT + TEXT_SIZE);
}

/* All pages were looked at: those that were broken are made again, and the new file is whole. */
static void write_again(const struct rows_cache *c, struct rows *r)
{
	int fd = memfd_create("again", MFD_CLOEXEC);
	struct rows_cache *again;
	const char *why;
	size_t size;
	void *file = rows_cache__encode(c, r, &key, &size);

	if (file && write(fd, file, size) == (ssize_t)size) {
		again = rows_cache__open(&perf_env, fd, &key, r, &why);
		FUZZ_TRUE(again && !rows_cache__verify(again).broken);
		rows_cache__close(again);
	}
	free(file);
	close(fd);
}

static void fuzz(const u8 *file, size_t size)
{
	struct rows *r = make_rows();
	struct rows_cache *c[2] = {};
	int fd = fuzz__fd(file, size);
	const char *why;

	if (fd >= 0)
		for (int i = 0; i < 2; i++)
			c[i] = rows_cache__open(&perf_env, fd, &key, r, &why);
	if (c[0]) {
		rows_cache__verify(c[0]);
		rows__use_cache(r, c[0]);
	}
	look_up(r);
	if (c[1])
		write_again(c[1], r);
	rows_cache__close(c[1]);
	rows__free(r);
	close(fd);
}

FUZZ_TARGET(rows_cache, "row tables of an earlier run")
{
	size_t good_size;
	u8 *good;

	mapfile__init();
	if (!size)
		return;
	if (!data[0]) {
		fuzz(data + 1, size - 1);
		return;
	}
	good = make_file(&good_size);
	for (size_t i = 1; i + 4 <= size; i += 4) {
		size_t place = (data[i + 1] | data[i + 2] << 8) * (data[i] & 1 ? 4 : 1);

		good[place % (data[i] & 2 ? HEAD : good_size)] = data[i + 3];
	}
	if ((data[0] & 3) > 1)
		seal(good, good_size, data[0] & 3);
	fuzz(good, good_size);
	free(good);
}
