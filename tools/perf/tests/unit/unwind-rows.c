// SPDX-License-Identifier: GPL-2.0-only
/* Row tables against the plain meaning of what was put into them: one rule for each address. */
#include "../../../lib/unwind/core/budget.h"
#include "../../util/elf/elf-file.h"
#include <perf/unwind.h>
#include "../../../lib/unwind/rows/rows.h"
#include "../test.h"

#define BASE 0x401000ULL
#define SIZE 0x23456U

struct function {
	u32 start, end, nr;
	struct { u32 start; struct row_rule rule; } rows[8];
};

struct model {
	const struct function *functions;
	u32 nr, fills;
	bool ended;
};

static struct row_rule rule_sp(s32 off)
{
	return (struct row_rule){
		.cfa = ROW_HOW(ROW_CFA_REG, 7), .cfa_off = off,
		.ra = ROW_HOW(ROW_LOC_AT_CFA, 0), .ra_off = -8,
	};
}

static void model__fill(void *private, u64 from __unused_arg, u64 to __unused_arg,
			struct rows_builder *b)
{
	struct model *m = private;

	m->fills++;
	for (u32 i = 0; i < m->nr; i++) {
		const struct function *f = &m->functions[i];

		if (!rows_builder__function(b, BASE + f->start, BASE + f->end))
			return;
		for (u32 j = 0; j < f->nr; j++)
			if (!rows_builder__row(b, BASE + f->rows[j].start, &f->rows[j].rule))
				return;
	}
}

static void model__exit(void *private)
{
	((struct model *)private)->ended = true;
}

/* cfa_off of the row at @off; 0 for a hole. */
static s32 model__at(const struct model *m, u32 off)
{
	for (u32 i = 0; i < m->nr; i++) {
		const struct function *f = &m->functions[i];
		s32 found = 0;

		if (off < f->start || off >= f->end)
			continue;
		for (u32 j = 0; j < f->nr && f->rows[j].start <= off; j++)
			found = f->rows[j].rule.cfa_off;
		if (found)
			return found;
	}
	return 0;
}

static u32 next_random(u32 *state)
{
	return *state = *state * 1103515245 + 12345, *state >> 8;
}

static void make_functions(struct function *f, u32 nr, u32 seed)
{
	for (u32 i = 0; i < nr; i++) {
		u32 at;

		f[i].start = at = next_random(&seed) % SIZE;
		f[i].end = f[i].start + next_random(&seed) % (i % 8 ? 300 : 90000);
		f[i].nr = next_random(&seed) % 9;
		for (u32 j = 0; j < f[i].nr; j++) {
			f[i].rows[j].start = at;
			f[i].rows[j].rule = rule_sp(next_random(&seed) % 5 * 8);
			if (!f[i].rows[j].rule.cfa_off)
				f[i].rows[j].rule = (struct row_rule){};
			at += next_random(&seed) % 40;
		}
	}
}

static struct rows *make_rows(struct model *models, u32 nr)
{
	/* In two ranges that overlap, in the wrong order. */
	struct rows_range ranges[] = { { BASE + 0x1000, BASE + SIZE }, { BASE, BASE + 0x2000 } };
	struct rows_source sources[2];

	for (u32 i = 0; i < nr; i++)
		sources[i] = (struct rows_source){ model__fill, model__exit, &models[i] };
	return rows__new(&perf_env, &unwind_arch_x86_64, ranges, 2, sources, nr);
}

TEST(rows_meaning, "rows: each address has the rule of the first source and function that has one")
{
	static struct function f[2][400];
	struct model models[2] = { { f[0], 60, 0, false }, { f[1], 400, 0, false } };
	struct rows *r;

	make_functions(f[0], 60, 1);
	make_functions(f[1], 400, 2);
	r = make_rows(models, 2);
	for (u32 off = 0; off < SIZE; off++) {
		s32 want = model__at(&models[0], off);

		want = want ? want : model__at(&models[1], off);
		TEST_EQ(rows__find(r, BASE + off)->cfa_off, want);
	}
	TEST_EQ(models[0].fills, 3);
	TEST_EQ(ROW_KIND(rows__find(r, BASE - 1)->cfa), ROW_CFA_HOLE);
	TEST_EQ(ROW_KIND(rows__find(r, BASE + SIZE)->cfa), ROW_CFA_HOLE);
	rows__free(r);
	TEST_TRUE(models[0].ended && models[1].ended);
}

TEST(rows_extent, "rows: a row's extent reaches over pages, and rows cover the code")
{
	static struct function f[400];
	struct model model = { f, 400, 0, false };
	struct rows *r;
	struct row row;
	u64 at = 0;
	u32 nr = 0;

	make_functions(f, 400, 3);
	r = make_rows(&model, 1);
	for (; rows__row(r, at, &row); at = row.end, nr++) {
		TEST_EQ(row.start, nr ? at : BASE);
		TEST_TRUE(row.end > row.start);
		for (u64 i = row.start; i < row.end; i++)
			TEST_EQ(row.rule->cfa_off, model__at(&model, i - BASE));
		TEST_TRUE(row.end == BASE + SIZE || rows__find(r, row.end) != row.rule);
	}
	TEST_EQ(at, BASE + SIZE);
	TEST_TRUE(nr > 50);
	rows__free(r);
}

TEST(rows_lazy, "rows: only pages that are touched are compiled, each once")
{
	struct function f = { 0, SIZE, 1, { { 0, rule_sp(8) } } };
	struct model model = { &f, 1, 0, false };
	struct rows *r = make_rows(&model, 1);

	rows__find(r, BASE + 5);
	rows__find(r, BASE + 0xffff);
	TEST_EQ(model.fills, 1);
	TEST_EQ(rows__page(r, 0)->nr, 1);
	TEST_TRUE(!rows__page(r, SIZE >> ROWS_PAGE_SHIFT));
	rows__find(r, BASE + SIZE - 1);
	TEST_EQ(model.fills, 2);
	TEST_TRUE(rows__page(r, SIZE >> ROWS_PAGE_SHIFT) && !rows__page(r, 1));
	rows__free(r);
}

TEST(rows_pages, "rows: pages are numbered over all stretches of code")
{
	struct function f = { 0, SIZE, 1, { { 0, rule_sp(8) } } };
	struct model model = { &f, 1, 0, false };
	struct rows_range ranges[] = {
		{ BASE, BASE + 0x1000 }, { BASE + 0x40000, BASE + 0x51000 },
	};
	struct rows_source source = { model__fill, model__exit, &model };
	struct rows *r = rows__new(&perf_env, &unwind_arch_x86_64, ranges, 2, &source, 1);

	TEST_EQ(rows__nr_pages(r), 3);
	rows__find(r, BASE + 0x50000);
	TEST_TRUE(!rows__page(r, 0) && !rows__page(r, 1) && rows__page(r, 2));
	rows__find(r, BASE);
	TEST_TRUE(rows__page(r, 0) && !rows__page(r, 1) && !rows__page(r, 3));
	rows__free(r);
}

static void fill_endless(void *private __unused_arg, u64 from, u64 to, struct rows_builder *b)
{
	struct row_rule rule = rule_sp(from);

	/* More functions, rows and rules than there can be. */
	for (u64 i = from; rows_builder__function(b, from, to + 100); i++)
		for (u64 at = i; at < to; at++) {
			rule.cfa_off++;
			if (!rows_builder__row(b, at, &rule))
				return;
		}
}

TEST(rows_bounds, "rows: hostile sources are bounded, and what has no number is evaluated")
{
	struct rows_range range = { BASE, BASE + 2 * ROWS_PAGE_SIZE };
	struct rows_source source = { .fill = fill_endless };
	struct rows *r = rows__new(&perf_env, &unwind_arch_x86_64, &range, 1, &source, 1);

	TEST_EQ(rows__find(r, BASE)->cfa_off, BASE + 1);
	TEST_EQ(rows__find(r, BASE + 60000)->cfa_off, BASE + 60001);
	TEST_EQ(ROW_KIND(rows__find(r, BASE + 0xffff)->cfa), ROW_CFA_HOLE);
	TEST_EQ(ROW_KIND(rows__find(r, BASE + 0x10000 + 60000)->cfa), ROW_CFA_EVAL);
	rows__free(r);
}

#define FILLED 20000 /* rows of a page, of one byte each */

static void fill_many(void *private __unused_arg, u64 from, u64 to, struct rows_builder *b)
{
	struct row_rule rules[] = { rule_sp(8), rule_sp(16) };

	rows_builder__function(b, from, to);
	for (u32 i = 0; i < FILLED; i++)
		rows_builder__row(b, from + i, &rules[i & 1]);
}

TEST(rows_growth_memory, "rows: tables are made up to a sum of memory over all of them")
{
	struct rows_range range = { BASE, BASE + 64 * ROWS_PAGE_SIZE };
	struct rows_source source = { .fill = fill_many };
	const u64 page = sizeof(struct rows_page) + 4 * FILLED;

	for (u32 n = 16; n <= 64; n *= 2) {
		struct budget memory = { .left = 10 * page + 5 };
		struct rows *r = rows__new(&perf_env, &unwind_arch_x86_64, &range, 1, &source, 1);

		rows__count_against(r, &memory);
		for (u32 i = 0; i < n; i++)
			TEST_EQ(rows__find(r, BASE + i * ROWS_PAGE_SIZE + 1)->cfa_off,
				i < 10 ? 16 : 0);
		for (u32 i = 10; i < n; i++) /* the hole is one for all */
			TEST_TRUE(rows__page(r, i) == rows__page(r, 10));
		TEST_EQ(memory.left, 5);
		rows__free(r);
		TEST_EQ(memory.left, 10 * page + 5);
	}
}

TEST(rows_top, "rows: code at the very end of all addresses")
{
	struct rows_range range = { -0x1001ULL, -1ULL };
	struct rows_source source = { .fill = fill_endless };
	struct rows *r = rows__new(&perf_env, &unwind_arch_x86_64, &range, 1, &source, 1);
	struct row row;

	TEST_TRUE(rows__row(r, 5, &row));
	TEST_EQ(row.start, range.start);
	TEST_TRUE(rows__row(r, range.end - 1, &row));
	TEST_EQ(row.end, range.end);
	TEST_TRUE(!rows__row(r, range.end, &row));
	rows__free(r);
}

TEST(rows_plain, "rows: rules of the usual shape are marked")
{
	struct row_rule sp = rule_sp(16), fp = rule_sp(16), signal = rule_sp(16), r10 = rule_sp(16);
	struct function f = { 0, 100, 4, { { 0, sp } } };
	struct model model = { &f, 1, 0, false };
	struct rows *r;

	fp.cfa = ROW_HOW(ROW_CFA_REG, 6);
	fp.fp = ROW_HOW(ROW_LOC_AT_CFA, 0);
	fp.fp_off = -16;
	signal.flags = ROW_SIGNAL;
	r10.cfa = ROW_HOW(ROW_CFA_REG, 10);
	f.rows[1].start = 1, f.rows[1].rule = fp;
	f.rows[2].start = 2, f.rows[2].rule = signal;
	f.rows[3].start = 3, f.rows[3].rule = r10;
	r = make_rows(&model, 1);
	TEST_EQ(rows__find(r, BASE)->flags, ROW_PLAIN_SP);
	TEST_EQ(rows__find(r, BASE + 1)->flags, ROW_PLAIN_FP);
	TEST_EQ(rows__find(r, BASE + 2)->flags, ROW_SIGNAL);
	TEST_EQ(rows__find(r, BASE + 3)->flags, 0);
	rows__free(r);
}

TEST(rows_text, "rows: rules as people read them")
{
	struct row_rule rule = rule_sp(16);
	char buf[128];

	rule.fp = ROW_HOW(ROW_LOC_AT_CFA, 0);
	rule.fp_off = -16;
	row_rule__text(&rule, &unwind_arch_x86_64, buf, sizeof(buf));
	TEST_STR(buf, "cfa=rsp+16 ra=*(cfa-8) rbp=*(cfa-16)");
	rule.cfa = ROW_HOW(ROW_CFA_DEREF, 6);
	rule.cfa_off = -8;
	rule.flags = ROW_SIGNAL;
	row_rule__text(&rule, &unwind_arch_x86_64, buf, sizeof(buf));
	TEST_STR(buf, "cfa=*(rbp-8)+0 ra=*(cfa-8) rbp=*(cfa-16) signal");
	rule = (struct row_rule){ .cfa = ROW_HOW(ROW_CFA_REG, 15), .cfa_off = 160,
				  .fp = ROW_HOW(ROW_LOC_IS_REG, 17) };
	row_rule__text(&rule, &unwind_arch_s390x, buf, sizeof(buf));
	TEST_STR(buf, "cfa=r15+160 r11=f2");
}

/* Has rows for the first half of the page, but for 4 bytes. */
static void fill_half(void *private __unused_arg, u64 from, u64 to __unused_arg,
		      struct rows_builder *b)
{
	struct row_rule rule = rule_sp(8);

	TEST_TRUE(rows_builder__wants(b, from, from + 4));
	rows_builder__function(b, from, from + 0x100);
	rows_builder__row(b, from, &rule);
	TEST_TRUE(rows_builder__wants(b, from, from + 4));
	rows_builder__function(b, from + 0x104, from + 0x8000);
	rows_builder__row(b, from + 0x104, &rule);
}

static void fill_rest(void *private, u64 from, u64 to, struct rows_builder *b)
{
	struct row_rule rule = rule_sp(16);
	u64 hole = 0, end;
	u32 nr = 0;

	TEST_TRUE(!rows_builder__wants(b, from, from + 0x100));
	TEST_TRUE(!rows_builder__wants(b, from - 8, from + 1));
	TEST_TRUE(!rows_builder__wants(b, from + 0x104, from + 0x8000));
	TEST_TRUE(rows_builder__wants(b, from + 0xff, from + 0x101));
	TEST_TRUE(rows_builder__wants(b, from + 0x103, from + 0x105));
	TEST_TRUE(rows_builder__wants(b, from, from + 0x200));
	TEST_TRUE(rows_builder__wants(b, from + 0x7fff, from + 0x8001));
	TEST_TRUE(rows_builder__wants(b, to - 1, to + 100));
	for (; rows_builder__hole(b, &hole, &end); hole = end, nr++) {
		TEST_EQ(hole, from + (nr ? 0x8000 : 0x100));
		TEST_EQ(end, nr ? to : from + 0x104);
	}
	TEST_EQ(nr, 2);
	hole = from + 0x9000;
	TEST_TRUE(rows_builder__hole(b, &hole, &end) && hole == from + 0x9000 && end == to);
	/* What it adds itself does not matter. */
	rows_builder__function(b, from, to);
	rows_builder__row(b, from, &rule);
	TEST_TRUE(rows_builder__wants(b, from + 0x100, from + 0x104));
	++*(int *)private;
}

TEST(rows_wants, "rows: a source can know what those before it have said nothing about")
{
	struct rows_range range = { BASE, BASE + ROWS_PAGE_SIZE };
	int asked = 0;
	struct rows_source sources[] = {
		{ .fill = fill_half }, { .fill = fill_rest, .private = &asked },
	};
	struct rows *r = rows__new(&perf_env, &unwind_arch_x86_64, &range, 1, sources, 2);

	TEST_EQ(rows__find(r, BASE + 0xff)->cfa_off, 8);
	TEST_EQ(rows__find(r, BASE + 0x100)->cfa_off, 16);
	TEST_EQ(rows__find(r, BASE + 0x104)->cfa_off, 8);
	TEST_EQ(rows__find(r, BASE + 0x8000)->cfa_off, 16);
	TEST_EQ(asked, 1);
	rows__free(r);
}

TEST(rows_sources, "rows: what a row was made of is a number, and a method of the same name")
{
	struct row_rule rule = { .cfa = ROW_HOW(ROW_CFA_REG, 7) };

	for (int source = 0; source < ROW_SOURCE_NR; source++) {
		rule.flags = ROW_SIGNAL | ROW_PLAIN_FP | ROW_FROM(source);
		TEST_EQ(row_rule__source(&rule), source);
		TEST_STR(row_rule__source_name(&rule),
			 unwind_method__name(UNWIND_BY_EH_FRAME + source));
	}
	TEST_STR(row_rule__source_name(&(struct row_rule){}), "");
}
