// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows written as .sframe and read again are the same rows: of each architecture, version and byte
 * order, with every kind of rule; what cannot be said is counted, and is a gap.
 */
#include <elf.h>

#include "../../util/elf/elf-file.h"
#include "../../../lib/unwind/source/sframe-write.h"
#include "../../../lib/unwind/source/sframe.h"
#include "../test.h"

#define TEXT 0x10000ULL
#define TEXT_SIZE 0x40000ULL

/* Rows one after the other from TEXT on, each of @size bytes. */
struct listed {
	const struct row_rule *rules;
	u32 nr, size;
};

static void listed__fill(void *private, u64 from, u64 to, struct rows_builder *b)
{
	const struct listed *l = private;

	(void)from;
	(void)to;
	if (!rows_builder__function(b, TEXT, TEXT + (u64)l->nr * l->size))
		return;
	for (u32 i = 0; i < l->nr; i++)
		if (!rows_builder__row(b, TEXT + (u64)i * l->size, &l->rules[i]))
			return;
}

static const struct rows_range text = { TEXT, TEXT + TEXT_SIZE };

static struct sframe *reopen(const struct sframe_writer *w)
{
	const struct sframe_input in = {
		.env = &perf_env, .data = { w->section.v, w->section.nr }, .vaddr = w->of.vaddr,
		.arch = w->of.arch, .big_endian = w->of.big_endian, .code = &text, .nr_code = 1,
	};
	enum sframe_flaw why = SFRAME_OK;
	struct sframe *s = sframe__new(&in, &why);

	if (!s)
		TEST_FAIL("what was written is not read: %s", sframe_flaw__text(why));
	for (int i = SFRAME_OK + 1; i < SFRAME_FLAW_NR; i++)
		if (s->flaws[i])
			TEST_FAIL("%u times: %s", s->flaws[i], sframe_flaw__text(i));
	return s;
}

/* As the reader says it: what is implied is not told apart from what was said. */
static struct row_rule read_as(struct row_rule r, const struct unwind_arch_info *arch)
{
	r.flags &= ROW_SIGNAL | ROW_RA_SIGNED;
	if (r.ra == ROW_HOW(ROW_LOC_IS_REG, arch->dwarf_ra) && !r.ra_off)
		r.ra = ROW_HOW(ROW_LOC_SAME, 0);
	return r;
}

static void expect_rule(const struct row_rule *want, const struct row_rule *got,
			const struct unwind_arch_info *arch, u32 i)
{
	struct row_rule a = read_as(*want, arch), b = read_as(*got, arch);
	char wanted[160], read[160];

	if (!memcmp(&a, &b, sizeof(a)))
		return;
	row_rule__text(&a, arch, wanted, sizeof(wanted));
	row_rule__text(&b, arch, read, sizeof(read));
	TEST_FAIL("%s, row %u: wrote '%s', read '%s'", arch->name, i, wanted, read);
}

struct expected {
	u16 machine;
	u8 version;
	bool big_endian;
	u64 left[SFRAME_LEFT_NR];
};

/* Writes @l and reads it. @said: which of the rows have to be there. */
static void round_trip(const struct listed *l, const struct expected *e, const bool *said)
{
	const struct unwind_arch_info *arch = unwind_arch_info__by_machine(e->machine);
	struct rows_source source = { .fill = listed__fill, .private = (void *)l };
	struct rows *rows = rows__new(&perf_env, arch, &text, 1, &source, 1), *back;
	struct sframe_writer w;
	struct sframe *s;

	sframe_writer__init(&w, &(struct sframe_of){
		.env = &perf_env, .arch = arch, .rows = rows, .version = e->version,
		.big_endian = e->big_endian, .vaddr = TEXT + TEXT_SIZE + 8,
	});
	TEST_EQ(sframe_writer__run(&w), 0);
	for (int i = 0; i < SFRAME_LEFT_NR; i++)
		TEST_EQ(w.left[i].rows, e->left[i]);
	s = reopen(&w);
	source = sframe__source(s);
	back = rows__new(&perf_env, arch, &text, 1, &source, 1);
	for (u32 i = 0; i < l->nr; i++) {
		const struct row_rule *got = rows__find(back, TEXT + (u64)i * l->size + 1);
		static const struct row_rule hole;

		expect_rule(said[i] ? &l->rules[i] : &hole, got, arch, i);
	}
	rows__free(back);
	sframe__free(s);
	sframe_writer__exit(&w);
	rows__free(rows);
}

#define REG(r, off) .cfa = ROW_HOW(ROW_CFA_REG, r), .cfa_off = (off)
#define DEREF(r, off, add) .cfa = ROW_HOW(ROW_CFA_DEREF, r), .cfa_off = (off), .cfa_add = (add)
#define RA(kind, r, off) .ra = ROW_HOW(ROW_LOC_##kind, r), .ra_off = (off)
#define FP(kind, r, off) .fp = ROW_HOW(ROW_LOC_##kind, r), .fp_off = (off)
#define X86_RA RA(AT_CFA, 0, -8)

TEST(sframe_write_x86, "Rules of x86-64 are the same in .sframe, or left out")
{
	static const struct row_rule rules[] = {
		{ REG(7, 8), X86_RA },
		{ REG(7, 200), X86_RA, FP(AT_CFA, 0, -16) },
		{ REG(6, 16), X86_RA, FP(AT_CFA, 0, -70000) },
		{ .cfa = ROW_HOW(ROW_CFA_END, 0) },
		{ .cfa = ROW_HOW(ROW_CFA_EVAL, 0) },
		{ REG(10, 0), X86_RA },
		{ DEREF(6, -8, 0), X86_RA, FP(AT_REG, 6, 0) },
		{ DEREF(6, -8, 8), X86_RA }, /* nothing is added behind a dereference */
		{ REG(7, 16), RA(AT_CFA, 0, -16), FP(IS_REG, 0, 0) },
		{ DEREF(7, 160, 0), RA(AT_REG, 7, 168), FP(AT_REG, 7, 120), .flags = ROW_SIGNAL },
		{ REG(7, 8), RA(SAME, 0, 0) },
		{ REG(7, 8), X86_RA, FP(UNDEFINED, 0, 0) },
		{ REG(7, 8), X86_RA },
	};
	static const bool in_v3[] = { 1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1 };
	static const bool in_v2[] = { 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1 };

	for (u32 size = 16; size < 0x3000; size *= 16) {
		const struct listed l = { rules, ARRAY_SIZE(rules), size };

		round_trip(&l, &(struct expected){ EM_X86_64, 3, false, { 1, 3, 0 } }, in_v3);
		round_trip(&l, &(struct expected){ EM_X86_64, 2, false, { 1, 3, 4 } }, in_v2);
	}
}

TEST(sframe_write_aarch64, "Rules of aarch64 are the same in .sframe, in both byte orders")
{
	static const struct row_rule rules[] = {
		{ REG(31, 0) },
		{ REG(31, 32), RA(AT_CFA, 0, -24) },
		{ REG(31, 32), RA(AT_CFA, 0, -24), FP(AT_CFA, 0, -32), .flags = ROW_RA_SIGNED },
		{ REG(29, 500), RA(AT_CFA, 0, -24), FP(AT_CFA, 0, -32) },
		{ REG(31, 16), FP(AT_CFA, 0, -16) },
		{ REG(9, 0) },
		{ .cfa = ROW_HOW(ROW_CFA_END, 0) },
	};
	static const bool said[] = { 1, 1, 1, 1, 0, 0, 1 };
	const struct listed l = { rules, ARRAY_SIZE(rules), 64 };

	for (int version = 2; version <= 3; version++)
		for (int big = 0; big <= 1; big++)
			round_trip(&l, &(struct expected){ EM_AARCH64, version, big, { 0, 2, 0 } },
				   said);
}

TEST(sframe_write_s390x, "Rules of s390x are the same in .sframe")
{
	static const struct row_rule rules[] = {
		{ REG(15, 160) },
		{ REG(15, 320), RA(AT_CFA, 0, -48), FP(AT_CFA, 0, -72) },
		{ REG(11, 40000), FP(AT_CFA, 0, -72) },
		{ REG(15, 164) },
		{ REG(15, 160), RA(IS_REG, 16, 0), FP(IS_REG, 17, 0) },
		{ REG(15, 160), FP(IS_REG, 17, 8) },
		{ REG(15, 160), RA(AT_CFA, 0, 0), FP(AT_CFA, 0, -72) },
		{ REG(15, 160), RA(AT_CFA, 0, -48), FP(AT_CFA, 0, -71) },
	};
	static const bool in_v3[] = { 1, 1, 1, 0, 1, 1, 1, 1 };
	static const bool in_v2[] = { 1, 1, 1, 0, 1, 0, 0, 0 };
	const struct listed l = { rules, ARRAY_SIZE(rules), 24 };

	round_trip(&l, &(struct expected){ EM_S390, 3, true, { 0, 1, 0 } }, in_v3);
	round_trip(&l, &(struct expected){ EM_S390, 2, true, { 0, 1, 3 } }, in_v2);
}

TEST(sframe_write_plt, "The entries of a PLT are a pattern")
{
	static const struct row_rule rules[] = {
		{ REG(7, 24), X86_RA },
		{ .cfa = ROW_HOW(ROW_CFA_PLT, 7), .cfa_off = 8, .cfa_add = 11, X86_RA },
	};
	const struct unwind_arch_info *arch = unwind_arch_info__by_machine(EM_X86_64);
	const struct listed l = { rules, 2, 0x100 };
	struct rows_source source = { .fill = listed__fill, .private = (void *)&l };
	struct rows *rows = rows__new(&perf_env, arch, &text, 1, &source, 1), *back;
	struct sframe_writer w;
	struct sframe *s;

	sframe_writer__init(&w, &(struct sframe_of){
		.env = &perf_env, .arch = arch, .rows = rows, .version = 3,
		.vaddr = TEXT + TEXT_SIZE,
	});
	TEST_EQ(sframe_writer__run(&w), 0);
	TEST_EQ(w.functions, 2);
	TEST_TRUE(w.section.nr < 100); /* and not 16 entries */
	s = reopen(&w);
	source = sframe__source(s);
	back = rows__new(&perf_env, arch, &text, 1, &source, 1);
	for (u32 i = 0; i < 0x100; i++)
		TEST_EQ(rows__find(back, TEXT + 0x100 + i)->cfa_off, i % 16 < 11 ? 8 : 16);
	rows__free(back);
	sframe__free(s);
	sframe_writer__exit(&w);
	rows__free(rows);
}

TEST(sframe_write_far, "Version 2 does not reach further than 2 GB, and says so")
{
	static const struct row_rule rule = { REG(7, 8), X86_RA };
	const struct unwind_arch_info *arch = unwind_arch_info__by_machine(EM_X86_64);
	const struct listed l = { &rule, 1, 0x100 };
	struct rows_source source = { .fill = listed__fill, .private = (void *)&l };

	for (int version = 2; version <= 3; version++) {
		struct rows *rows = rows__new(&perf_env, arch, &text, 1, &source, 1);
		struct sframe_writer w;

		sframe_writer__init(&w, &(struct sframe_of){
			.env = &perf_env, .arch = arch, .rows = rows, .version = version,
			.vaddr = 1ULL << 33,
		});
		TEST_EQ(sframe_writer__run(&w), version == 2 ? -ERANGE : 0);
		sframe_writer__exit(&w);
		rows__free(rows);
	}
}
