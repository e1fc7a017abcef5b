// SPDX-License-Identifier: GPL-2.0-only
/* Row tables in files: what comes back is what went in, and nothing else is believed. */
#include <elf.h>
#include <fcntl.h>
#include <glob.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../util/base/mem.h"
#include "../../util/elf/elf-file.h"
#include "../../util/io/mapfile.h"
#include "../../../lib/unwind/rows/rows-file.h"
#include "../../../lib/unwind/walk/table.h"
#include "../test.h"

static const struct rows_cache_key key = {
	.maker = 1, .shape = 2, .id_size = 3, .id = { 1, 2, 3 },
};

struct file {
	u8 *data;
	size_t size;
};

/* A module with a table, whose rows were looked up from end to end or not at all. */
struct subject {
	struct module *m;
	struct table *t;
};

static bool subject__open(struct subject *s, const char *path)
{
	struct unwind_sources sources;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	mapfile__init();
	s->m = module__new(&perf_env, 0, fd, EM_NONE);
	close(fd);
	if (s->m->bad || !unwind_arch_info__by_machine(s->m->image.ehdr.e_machine))
		return false;
	TEST_EQ(unwind_sources__parse(&sources, NULL), 0);
	s->t = table__new(s->m, unwind_arch_info__by_machine(s->m->image.ehdr.e_machine),
			  &sources, NULL);
	return true;
}

static void subject__close(struct subject *s)
{
	table__free(s->t);
	module__free(s->m);
}

static u64 compile_all(struct rows *r)
{
	struct row row;
	u64 nr = 0;

	for (u64 at = 0; rows__row(r, at, &row); at = row.end)
		nr++;
	return nr;
}

static void same_rows(struct rows *a, struct rows *b)
{
	struct row x, y;

	for (u64 at = 0; rows__row(a, at, &x); at = x.end) {
		TEST_TRUE(rows__row(b, at, &y));
		TEST_EQ(x.start, y.start);
		TEST_EQ(x.end, y.end);
		TEST_TRUE(!memcmp(x.rule, y.rule, sizeof(*x.rule)));
	}
}

static struct file encode(struct rows *r, const struct rows_cache *old)
{
	struct file f;

	f.data = rows_cache__encode(old, r, &key, &f.size);
	TEST_TRUE(f.data);
	return f;
}

static struct rows_cache *open_file(const struct file *f, const struct rows *r, const char **why)
{
	int fd = memfd_create("rows", MFD_CLOEXEC);
	struct rows_cache *c;

	TEST_EQ(write(fd, f->data, f->size), f->size);
	c = rows_cache__open(&perf_env, fd, &key, r, why);
	close(fd);
	return c;
}

/* A stranger: whoever asks it for rows has not found them in the file. */
static void fill_none(void *private, u64 from __unused_arg, u64 to __unused_arg,
		      struct rows_builder *b __unused_arg)
{
	++*(u32 *)private;
}

static void round_trip(const char *path)
{
	u32 asked = 0;
	struct rows_source stranger = { .fill = fill_none, .private = &asked };
	struct subject a, b;
	struct rows_cache *c;
	const char *why;
	struct file f;

	TEST_TRUE(subject__open(&a, path) && subject__open(&b, path));
	TEST_TRUE(compile_all(a.t->rows) > 100);
	f = encode(a.t->rows, NULL);
	c = open_file(&f, b.t->rows, &why);
	TEST_TRUE(c);
	rows__open_late(b.t->rows, NULL, NULL);
	rows__set_sources(b.t->rows, &stranger, 1);
	rows__use_cache(b.t->rows, c);
	same_rows(a.t->rows, b.t->rows);
	TEST_EQ(asked, 0);
	TEST_TRUE(!b.t->opened && !rows__has_compiled(b.t->rows));
	TEST_TRUE(!rows_cache__encode(NULL, b.t->rows, &key, &f.size));
	free(f.data);
	subject__close(&a);
	subject__close(&b);
}

static int find_libc(struct dl_phdr_info *info, size_t size __unused_arg, void *ctx)
{
	if (!strstr(info->dlpi_name, "/libc.so") && !strstr(info->dlpi_name, "/libc-"))
		return 0;
	snprintf(ctx, 256, "%s", info->dlpi_name);
	return 1;
}

TEST_LIMIT(rows_cache_round_trip, "rows: all pages of a program and of libc come back from a file",
	   60)
{
	char libc[256];
	glob_t large;

	round_trip("/proc/self/exe");
	TEST_TRUE(dl_iterate_phdr(find_libc, libc));
	round_trip(libc);
	/* Most rows of what is at hand, where it is. */
	if (!glob("/usr/lib/gcc/*/*/cc1plus", 0, NULL, &large))
		round_trip(large.gl_pathv[0]);
	globfree(&large);
}

/* Some of libc's pages, alternately: those with @n % 2 == @odd. */
static void touch(struct rows *r, u32 odd)
{
	for (u32 i = 0; i < r->nr_spans; i++)
		for (u64 at = r->spans[i].start; at < r->spans[i].end; at += ROWS_PAGE_SIZE)
			if (((at - r->spans[i].start) / ROWS_PAGE_SIZE) % 2 == odd)
				rows__find(r, at);
}

TEST(rows_cache_merge, "rows: a file takes over the pages of the one before it")
{
	struct subject a, b, all, c;
	struct rows_cache *old, *both;
	struct file first, second;
	const char *why;

	TEST_TRUE(subject__open(&a, "/proc/self/exe") && subject__open(&b, "/proc/self/exe") &&
		  subject__open(&c, "/proc/self/exe") && subject__open(&all, "/proc/self/exe"));
	touch(a.t->rows, 0);
	touch(b.t->rows, 1);
	first = encode(a.t->rows, NULL);
	/* @b has not seen it: its rules have other numbers. */
	old = open_file(&first, b.t->rows, &why);
	second = encode(b.t->rows, old);
	both = open_file(&second, c.t->rows, &why);
	TEST_EQ(rows_cache__verify(both).pages, rows__nr_pages(c.t->rows));
	TEST_EQ(rows_cache__verify(both).broken, 0);
	rows__use_cache(c.t->rows, both);
	compile_all(all.t->rows);
	same_rows(all.t->rows, c.t->rows);
	TEST_TRUE(!rows__has_compiled(c.t->rows));
	rows_cache__close(old);
	free(first.data);
	free(second.data);
	subject__close(&a);
	subject__close(&b);
	subject__close(&c);
	subject__close(&all);
}

/* What is read of @f, whatever it is, must not change the rows. */
static void survives(const struct file *f, struct rows *want)
{
	struct subject s;
	struct rows_cache *c;
	const char *why;

	TEST_TRUE(subject__open(&s, "/proc/self/exe"));
	c = open_file(f, s.t->rows, &why);
	TEST_TRUE(c || *why);
	if (c)
		rows__use_cache(s.t->rows, c);
	same_rows(want, s.t->rows);
	subject__close(&s);
}

/* The rows of one page and its entry. */
struct page_at {
	struct rows_file *file;
	struct rows_file_page *page;
	u16 *pc;
	u32 n;
};

static struct page_at page_at(const struct file *f, u32 n)
{
	struct page_at p = { .file = (void *)f->data, .n = n };
	struct rows_file_page *pages = (void *)(f->data + rows_file__pages_at(p.file->nr_rules));

	p.page = pages + n;
	p.pc = (u16 *)((u8 *)(pages + p.file->nr_pages) + p.page->offset);
	return p;
}

static void page_at__seal(const struct page_at *p)
{
	p->page->sum = rows_file__page_sum(&p->file->key, p->n, p->pc, p->page->nr);
}

TEST_LIMIT(rows_cache_damage, "rows: damaged files are refused, or the pages in them", 60)
{
	struct subject s;
	struct file f, bad;
	u64 seed = 88172645463325252ULL;

	TEST_TRUE(subject__open(&s, "/proc/self/exe"));
	compile_all(s.t->rows);
	f = encode(s.t->rows, NULL);
	for (u32 i = 0; i < 300 / test__share(6); i++) {
		seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
		bad = (struct file){ xmemdup(f.data, f.size), f.size };
		/* A third in the head and the rules, one in the index and behind, one cut. */
		if (i % 3 == 0)
			bad.data[seed % 400] ^= 1 << i % 8;
		else if (i % 3 == 1)
			bad.data[seed % f.size] ^= 1 << i % 8;
		else
			bad.size = seed % f.size;
		survives(&bad, s.t->rows);
		free(bad.data);
	}
	free(f.data);
	subject__close(&s);
}

static void refuse_page(const struct file *good, void (*spoil)(struct page_at *p))
{
	struct file bad = { xmemdup(good->data, good->size), good->size };
	struct page_at p = page_at(&bad, 1);
	struct rows_cache_state state;
	struct rows_cache *c;
	struct subject s;
	const char *why;

	spoil(&p);
	TEST_TRUE(subject__open(&s, "/proc/self/exe"));
	c = open_file(&bad, s.t->rows, &why);
	TEST_TRUE(c);
	state = rows_cache__verify(c);
	TEST_EQ(state.broken, 1);
	TEST_EQ(state.pages, rows__nr_pages(s.t->rows) - 1);
	rows_cache__close(c);
	free(bad.data);
	subject__close(&s);
}

static void spoil_order(struct page_at *p)
{
	p->pc[2] = p->pc[1];
	page_at__seal(p);
}

static void spoil_first(struct page_at *p)
{
	p->pc[0] = 1;
	page_at__seal(p);
}

static void spoil_rule(struct page_at *p)
{
	p->pc[p->page->nr + 1] = p->file->nr_rules;
	page_at__seal(p);
}

static void spoil_count(struct page_at *p)
{
	p->page->nr = UINT32_MAX;
}

static void spoil_offset(struct page_at *p)
{
	p->page->offset = UINT32_MAX - 1;
}

static void spoil_place(struct page_at *p)
{
	p->page[0] = p->page[1];
}

static void refuse_file(const struct file *good, size_t offset, u64 value, const char *want)
{
	struct file bad = { xmemdup(good->data, good->size), good->size };
	struct rows_file *head = (void *)bad.data;
	struct subject s;
	const char *why;

	memcpy(bad.data + offset, &value, 4);
	/* Sizes that are not so cannot be sealed. */
	if (head->nr_rules == ((struct rows_file *)good->data)->nr_rules)
		head->sum = rows_file__sum(head);
	TEST_TRUE(subject__open(&s, "/proc/self/exe"));
	TEST_TRUE(!open_file(&bad, s.t->rows, &why));
	TEST_STR(why, want);
	free(bad.data);
	subject__close(&s);
}

/* Ends in the midst of the index, and says so. */
static void refuse_cut(const struct file *good, const struct rows *r)
{
	struct file bad = { xmemdup(good->data, good->size), 0 };
	struct rows_file *head = (void *)bad.data;
	const char *why;

	bad.size = head->size = rows_file__pages_at(head->nr_rules) + 16;
	head->sum = rows_file__sum(head);
	TEST_TRUE(!open_file(&bad, r, &why));
	TEST_STR(why, "damaged");
	free(bad.data);
}

TEST(rows_cache_hostile, "rows: files that are made up are refused, or the pages in them")
{
	static void (*const spoil[])(struct page_at *p) = {
		spoil_order, spoil_first, spoil_rule, spoil_count, spoil_offset, spoil_place,
	};
	struct subject s;
	struct file f;

	TEST_TRUE(subject__open(&s, "/proc/self/exe"));
	compile_all(s.t->rows);
	f = encode(s.t->rows, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(spoil); i++)
		refuse_page(&f, spoil[i]);
	refuse_file(&f, offsetof(struct rows_file, magic), 7, "of another format");
	refuse_file(&f, offsetof(struct rows_file, key.maker), 7,
		    "written by another build of perf");
	refuse_file(&f, offsetof(struct rows_file, key.shape), 7, "of another binary");
	refuse_file(&f, offsetof(struct rows_file, key.id), 7, "of another binary");
	refuse_file(&f, offsetof(struct rows_file, nr_rules), 1, "damaged");
	refuse_file(&f, offsetof(struct rows_file, nr_rules), 0xffff, "damaged");
	refuse_file(&f, offsetof(struct rows_file, nr_pages), 7, "damaged");
	refuse_file(&f, offsetof(struct rows_file, nr_pages), UINT32_MAX, "damaged");
	/* A rule whose kind does not exist. */
	refuse_file(&f, sizeof(struct rows_file) + 5 * sizeof(struct row_rule), 7 << 5, "damaged");
	refuse_cut(&f, s.t->rows);
	f.size = 4;
	survives(&f, s.t->rows);
	f.size = 0;
	survives(&f, s.t->rows);
	free(f.data);
	subject__close(&s);
}

static void fill_many_rules(void *private __unused_arg, u64 from, u64 to, struct rows_builder *b)
{
	struct row_rule rule = { .cfa = ROW_HOW(ROW_CFA_REG, 7) };

	rows_builder__function(b, from, to);
	for (u64 at = from; at < to; at++) {
		rule.cfa_off = at;
		if (!rows_builder__row(b, at, &rule))
			return;
	}
}

TEST(rows_cache_full, "rows: more rules than there are numbers for, in a file, too")
{
	struct rows_range range = { 0x10000, 0x10000 + 2 * ROWS_PAGE_SIZE };
	struct rows_source source = { .fill = fill_many_rules };
	struct rows *r[4];
	struct rows_cache *old, *c;
	struct file f, g;
	const char *why;

	for (size_t i = 0; i < ARRAY_SIZE(r); i++)
		r[i] = rows__new(&perf_env, &unwind_arch_x86_64, &range, 1, &source, 1);
	rows__find(r[0], range.start);
	f = encode(r[0], NULL);
	/* The other page has only rules that the file has no numbers for any more. */
	rows__find(r[1], range.start + ROWS_PAGE_SIZE);
	old = open_file(&f, r[1], &why);
	TEST_TRUE(!rows_cache__encode(old, r[1], &key, &g.size));
	/* Nor has the table itself, for the first page: all of it is to be evaluated. */
	rows__find(r[1], range.start);
	g = encode(r[1], old);
	c = open_file(&g, r[3], &why);
	rows__use_cache(r[3], c);
	TEST_EQ(ROW_KIND(rows__find(r[3], range.start + 9)->cfa), ROW_CFA_EVAL);
	TEST_TRUE(!rows__has_compiled(r[3]));
	free(g.data);
	c = open_file(&f, r[2], &why);
	TEST_EQ(rows_cache__verify(c).pages, 1);
	rows__use_cache(r[2], c);
	compile_all(r[0]);
	same_rows(r[0], r[2]);
	rows_cache__close(old);
	free(f.data);
	for (size_t i = 0; i < ARRAY_SIZE(r); i++)
		rows__free(r[i]);
}
