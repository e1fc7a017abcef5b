// SPDX-License-Identifier: GPL-2.0-only
/* Which pages of rows the program that walks stacks is given, and when. */
#include <stdlib.h>

#include "../../../lib/unwind/space/backend.h"
#include "../../util/bpf-walk/walk-rows.h"
#include "../test.h"

#define LARGE 800 /* pages: more than a small module has, and than are made at a time */
#define SMALL 5

/* A module with a table of so many pages, all with one rule; of it each third one was kept. */
struct module_fixture {
	struct unwind_env env;
	struct rows_source source;
	struct module module;
	struct unwind_module um;
	struct walk_map map;
	u32 compiled;
};

static void fill(void *private, u64 from, u64 to, struct rows_builder *b)
{
	const struct row_rule rule = {
		.cfa = ROW_HOW(ROW_CFA_REG, 7), .cfa_off = 16,
		.ra = ROW_HOW(ROW_LOC_AT_CFA, 0), .ra_off = -8,
	};
	struct module_fixture *f = private;

	f->compiled++;
	if (rows_builder__function(b, from, to))
		rows_builder__row(b, from, &rule);
}

static struct rows_page *kept_page(void *private __unused_arg, struct rows *r, u32 n,
				   u32 size __unused_arg)
{
	struct rows_page *page;

	if (n % 3)
		return NULL;
	page = env__zalloc(r->env, sizeof(*page) + 2 * sizeof(page->pc[0]));
	page->nr = 1;
	return page;
}

static struct module_fixture *new_module(u32 id, u32 pages)
{
	const struct rows_range range = { 0x10000, 0x10000 + pages * ROWS_PAGE_SIZE };
	struct module_fixture *f = xzalloc(sizeof(*f));
	const struct rows_kept kept = { .page = kept_page };

	f->env = (struct unwind_env){ .alloc = &unwind_alloc__default };
	f->source = (struct rows_source){ .fill = fill, .private = f };
	f->um.m = &f->module;
	f->map = (struct walk_map){
		.at.module = id, .um = &f->um,
		.rows = rows__new(&f->env, &unwind_arch_x86_64, &range, 1, &f->source, 1),
	};
	rows__use_kept(f->map.rows, &kept);
	return f;
}

static void free_module(struct module_fixture *f)
{
	rows__free(f->map.rows);
	free(f);
}

/* Maps of the kernel are plain memory here. */
struct rows_fixture {
	struct walk_program program;
	struct walk_rows w;
};

static struct rows_fixture *new_rows(void)
{
	struct rows_fixture *f = xzalloc(sizeof(*f));

	f->program.nr_chunks = 1;
	f->w = (struct walk_rows){
		.program = &f->program, .used = WALK_CHUNK, .chunk = -1,
		.pages = xcalloc(1024, sizeof(walk_page_place)),
		.rules = { .v = xcalloc(64, sizeof(struct walk_rule)), .max = 64 },
	};
	*vec__push(&f->w.chunks) = xzalloc(WALK_CHUNK);
	return f;
}

static void free_rows(struct rows_fixture *f)
{
	free(f->w.chunks.v[0]);
	f->w.chunks.nr = 0;
	free(f->w.pages);
	free(f->w.rules.v);
	f->w.pages = NULL; /* which would be unmapped */
	f->w.rules.v = NULL;
	walk_rows__free(&f->w);
	free(f);
}

/* How many of the pages of @m are there. */
static u32 count(const struct rows_fixture *f, const struct walk_module *m)
{
	u32 nr = 0;

	for (u32 i = 0; i < m->nr_pages; i++)
		nr += f->w.pages[m->spans.v[0].page + i] != 0;
	return nr;
}

TEST(bpf_walk_likely_kept, "bpf walk: of a large module, pages that were kept come step by step")
{
	struct module_fixture *large = new_module(1, LARGE);
	struct rows_fixture *f = new_rows();
	struct walk_module *m = walk_rows__module(&f->w, &large->map);
	u32 calls = 0;

	TEST_EQ(m->nr_pages, LARGE);
	TEST_EQ(count(f, m), 0);
	walk_rows__go_on(&f->w);
	TEST_TRUE(count(f, m) && count(f, m) < LARGE / 3);
	for (; f->w.begun.nr && calls < LARGE; calls++)
		walk_rows__go_on(&f->w);
	TEST_EQ(count(f, m), (LARGE + 2) / 3);
	for (u32 i = 0; i < LARGE; i++)
		TEST_EQ(f->w.pages[m->spans.v[0].page + i] != 0, i % 3 == 0);
	TEST_EQ(large->compiled, 0);
	TEST_TRUE(!walk_rows__go_on(&f->w));
	/* A walk needs another: it is compiled at once, those on either side a little later. */
	walk_rows__add_near(&f->w, &large->map, 0x10000 + 100 * ROWS_PAGE_SIZE + 5);
	TEST_TRUE(f->w.pages[m->spans.v[0].page + 100]);
	TEST_EQ(large->compiled, 1);
	while (walk_rows__go_on(&f->w))
		;
	TEST_TRUE(large->compiled > 10 && large->compiled < 100);
	TEST_TRUE(f->w.pages[m->spans.v[0].page + 98] && f->w.pages[m->spans.v[0].page + 101]);
	free_rows(f);
	free_module(large);
}

TEST(bpf_walk_likely_small, "bpf walk: all pages of a small module come; none of a forgotten one")
{
	struct module_fixture *small = new_module(1, SMALL), *gone = new_module(2, SMALL);
	struct module_fixture *large = new_module(3, LARGE);
	struct rows_fixture *f = new_rows();
	struct walk_module *m = walk_rows__module(&f->w, &small->map);
	u32 calls = 0;

	walk_rows__module(&f->w, &gone->map);
	walk_rows__module(&f->w, &large->map);
	walk_rows__forget(&f->w, 2);
	free_module(gone);
	/* A walk is in the large one: it comes first. */
	walk_rows__add_near(&f->w, &large->map, 0x10000);
	TEST_EQ(f->w.begun.v[f->w.begun.nr - 1]->id, 3);
	for (; f->w.begun.nr && calls < LARGE; calls++)
		walk_rows__go_on(&f->w);
	TEST_EQ(count(f, m), SMALL);
	TEST_TRUE(small->compiled >= 2);
	free_rows(f);
	free_module(small);
	free_module(large);
}
