// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of .sframe made here, of each version and byte order: what they mean, that each flaw is
 * noticed, and that no damage does harm.
 */
#include <elf.h>

#include "../../util/base/mem.h"
#include "../../util/elf/elf-file.h"
#include "../../../lib/unwind/rows/rows.h"
#include "../../../lib/unwind/source/sframe.h"
#include "../test.h"

#define TEXT 0x1000ULL
#define TEXT_SIZE 0x20000ULL
#define SECTION 0x40000ULL

struct made {
	u8 v[4096];
	size_t len;
	u8 version, flags;
	bool big;
	const struct unwind_arch_info *arch;
	u64 entry;
	/* Rows, until they are put behind the functions. */
	u8 rows[2048];
	size_t rows_len;
	u32 functions, nr_rows;
};

static void put(u8 *v, size_t *len, u64 value, u32 size, bool big)
{
	for (u32 i = 0; i < size; i++)
		v[*len + i] = value >> 8 * (big ? size - 1 - i : i);
	*len += size;
}

static void made__put(struct made *m, u64 value, u32 size)
{
	put(m->v, &m->len, value, size, m->big);
}

static void made__init(struct made *m, u8 version, u8 flags, u16 machine, bool big)
{
	u8 abi = machine == EM_X86_64 ? 3 : machine == EM_S390 ? 4 : big ? 1 : 2;

	*m = (struct made){ .version = version, .flags = flags, .big = big };
	m->arch = unwind_arch_info__by_machine(machine);
	made__put(m, 0xdee2, 2);
	made__put(m, version, 1);
	made__put(m, flags, 1);
	made__put(m, abi, 1);
	made__put(m, 0, 1);
	made__put(m, machine == EM_X86_64 ? -8 : 0, 1);
	made__put(m, 0, 1);
	m->len = 28;
}

static void made__count(struct made *m, u32 nr_rows)
{
	m->functions++;
	m->nr_rows += nr_rows;
}

/* @info2: of version 3 only. Its rows are put with made__row(). */
static void made__function(struct made *m, u64 start, u32 size, u32 nr_rows, u8 info, u8 info2,
			   u8 repeat)
{
	u64 base = m->flags & 4 ? SECTION + m->len : SECTION;

	made__put(m, start - base, m->version == 3 ? 8 : 4);
	made__put(m, size, 4);
	made__put(m, m->rows_len, 4);
	if (m->version < 3) {
		made__put(m, nr_rows, 4);
		made__put(m, info, 1);
		if (m->version == 1)
			return made__count(m, nr_rows);
		made__put(m, repeat, 1);
		made__put(m, 0, 2);
	} else {
		put(m->rows, &m->rows_len, nr_rows, 2, m->big);
		put(m->rows, &m->rows_len, info, 1, m->big);
		put(m->rows, &m->rows_len, info2, 1, m->big);
		put(m->rows, &m->rows_len, repeat, 1, m->big);
	}
	made__count(m, nr_rows);
}

/* A row whose start has @width bytes, with words of @size bytes. */
static void made__row(struct made *m, u32 start, u32 width, u8 flags, u32 size, u32 nr,
		      const s32 *words)
{
	u8 code = size == 1 ? 0 : size == 2 ? 1 : 2;

	put(m->rows, &m->rows_len, start, width, m->big);
	put(m->rows, &m->rows_len, flags | nr << 1 | code << 5, 1, m->big);
	for (u32 i = 0; i < nr; i++)
		put(m->rows, &m->rows_len, words[i], size, m->big);
}

#define ROW(m, start, width, flags, size, ...)                                         \
	made__row(m, start, width, flags, size, sizeof((s32[]){ __VA_ARGS__ }) / 4,    \
		  (s32[]){ __VA_ARGS__ })

static void made__end(struct made *m)
{
	size_t at = 8;
	u32 functions_len = m->len - 28;

	put(m->v, &at, m->functions, 4, m->big);
	put(m->v, &at, m->nr_rows, 4, m->big);
	put(m->v, &at, m->rows_len, 4, m->big);
	put(m->v, &at, 0, 4, m->big);
	put(m->v, &at, functions_len, 4, m->big);
	memcpy(m->v + m->len, m->rows, m->rows_len);
	m->len += m->rows_len;
}

static struct sframe *made__open_copy(const struct made *m, const u8 *copy, enum sframe_flaw *why)
{
	static const struct rows_range code = { TEXT, TEXT + TEXT_SIZE };
	const struct sframe_input in = {
		.env = &perf_env, .data = { copy, m->len }, .vaddr = SECTION, .arch = m->arch,
		.big_endian = m->big, .entry = m->entry, .code = &code, .nr_code = 1,
	};

	return sframe__new(&in, why);
}

static struct sframe *made__open(const struct made *m, enum sframe_flaw *why)
{
	return made__open_copy(m, m->v, why);
}

struct view {
	struct sframe *s;
	struct rows *rows;
	char text[160];
};

static void view__open(struct view *v, const struct made *m)
{
	static const struct rows_range code = { TEXT, TEXT + TEXT_SIZE };
	enum sframe_flaw why;
	struct rows_source source;

	v->s = made__open(m, &why);
	if (!v->s)
		TEST_FAIL("%s", sframe_flaw__text(why));
	source = sframe__source(v->s);
	v->rows = rows__new(&perf_env, m->arch, &code, 1, &source, 1);
}

static void view__close(struct view *v)
{
	rows__free(v->rows);
	sframe__free(v->s);
}

static const char *view__at(struct view *v, u64 vaddr)
{
	row_rule__text(rows__find(v->rows, vaddr), v->s->arch, v->text, sizeof(v->text));
	return v->text;
}

/* A function with each width of starts and words, and one that follows without a gap. */
static void made__x86(struct made *m, u8 version, u8 flags, bool big)
{
	made__init(m, version, flags, EM_X86_64, big);
	made__function(m, TEXT, 0x10, 2, 0, 0, 0);
	ROW(m, 0, 1, 1, 1, 8);
	ROW(m, 4, 1, 0, 1, 16, -16);
	made__function(m, TEXT + 0x10, 0x300, 3, 1, 0, 0);
	ROW(m, 0, 2, 1, 1, 8);
	ROW(m, 1, 2, 1, 2, 0x1000, -16);
	ROW(m, 0x2ff, 2, 1, 4, 0x123456, -0x8000);
	made__function(m, TEXT + 0x400, 0x1f000, 2, 2, 0, 0);
	ROW(m, 0, 4, 1, 1, 8);
	ROW(m, 0x1e000, 4, 1, 1, 24);
	made__end(m);
}

TEST(sframe_made, "sframe: rows of versions 1 to 3, sorted or not, by section or by field")
{
	static const struct {
		u8 version, flags;
	} kinds[] = {
		{ .version = 1, .flags = 1 }, { .version = 2, .flags = 1 },
		{ .version = 2, .flags = 5 }, { .version = 2, .flags = 4 },
		{ .version = 3, .flags = 5 }, { .version = 3, .flags = 4 },
		{ .version = 3, .flags = 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct made m;
		struct view v;

		made__x86(&m, kinds[i].version, kinds[i].flags, false);
		view__open(&v, &m);
		TEST_STR(view__at(&v, TEXT), "cfa=rsp+8 ra=*(cfa-8)");
		TEST_STR(view__at(&v, TEXT + 3), "cfa=rsp+8 ra=*(cfa-8)");
		TEST_STR(view__at(&v, TEXT + 4), "cfa=rbp+16 ra=*(cfa-8) rbp=*(cfa-16)");
		TEST_STR(view__at(&v, TEXT + 0xf), "cfa=rbp+16 ra=*(cfa-8) rbp=*(cfa-16)");
		TEST_STR(view__at(&v, TEXT + 0x10), "cfa=rsp+8 ra=*(cfa-8)");
		TEST_STR(view__at(&v, TEXT + 0x11), "cfa=rsp+4096 ra=*(cfa-8) rbp=*(cfa-16)");
		TEST_STR(view__at(&v, TEXT + 0x30f),
			 "cfa=rsp+1193046 ra=*(cfa-8) rbp=*(cfa-32768)");
		TEST_STR(view__at(&v, TEXT + 0x310), "nothing known");
		TEST_STR(view__at(&v, TEXT + 0x400 + 0x1dfff), "cfa=rsp+8 ra=*(cfa-8)");
		TEST_STR(view__at(&v, TEXT + 0x400 + 0x1e000), "cfa=rsp+24 ra=*(cfa-8)");
		TEST_STR(view__at(&v, TEXT + 0x400 + 0x1efff), "cfa=rsp+24 ra=*(cfa-8)");
		TEST_STR(view__at(&v, TEXT + 0x400 + 0x1f000), "nothing known");
		TEST_EQ(sframe__is_trusted(v.s), kinds[i].version == 3);
		view__close(&v);
	}
}

TEST(sframe_made_aarch64, "sframe: aarch64 of both byte orders, with signed return addresses")
{
	for (int big = 0; big < 2; big++) {
		struct made m;
		struct view v;

		made__init(&m, 3 - big, 5, EM_AARCH64, big);
		made__function(&m, TEXT, 0x200, 4, 1 | 0x20, 0, 0);
		ROW(&m, 0, 2, 1, 1, 0);
		ROW(&m, 4, 2, 1 | 0x80, 1, 0);
		ROW(&m, 8, 2, 1 | 0x80, 2, 0x110, -8);
		ROW(&m, 0x104, 2, 0, 1, 48, -40, -48);
		made__end(&m);
		view__open(&v, &m);
		TEST_STR(view__at(&v, TEXT), "cfa=sp+0");
		TEST_STR(view__at(&v, TEXT + 4), "cfa=sp+0 signed");
		TEST_STR(view__at(&v, TEXT + 8), "cfa=sp+272 ra=*(cfa-8) signed");
		TEST_STR(view__at(&v, TEXT + 0x104), "cfa=x29+48 ra=*(cfa-40) x29=*(cfa-48)");
		view__close(&v);
	}
}

TEST(sframe_made_s390x, "sframe: s390x, with registers saved in registers")
{
	struct made m;
	struct view v;

	made__init(&m, 2, 5, EM_S390, true);
	made__function(&m, TEXT, 0x20, 4, 0, 0, 0);
	ROW(&m, 0, 1, 1, 1, 0);
	ROW(&m, 4, 1, 1, 1, 0, 0, 17 << 1 | 1);
	ROW(&m, 8, 1, 1, 1, 0x14, 16 << 1 | 1, 17 << 1 | 1);
	ROW(&m, 12, 1, 0, 1, 0x15, -48, -72);
	made__end(&m);
	view__open(&v, &m);
	TEST_STR(view__at(&v, TEXT), "cfa=r15+160");
	TEST_STR(view__at(&v, TEXT + 4), "cfa=r15+160 r11=f2");
	TEST_STR(view__at(&v, TEXT + 8), "cfa=r15+320 ra=f0 r11=f2");
	TEST_STR(view__at(&v, TEXT + 12), "cfa=r11+328 ra=*(cfa-48) r11=*(cfa-72)");
	view__close(&v);
}

TEST(sframe_made_flex, "sframe: flexible rows of version 3, and what has no rows")
{
	struct made m;
	struct view v;

	made__init(&m, 3, 4, EM_X86_64, false);
	made__function(&m, TEXT, 0x20, 6, 0, 1, 0);
	ROW(&m, 0, 1, 0, 1, 10 << 3 | 1, 0);
	ROW(&m, 4, 1, 0, 1, 6 << 3 | 3, -8, 0, 6 << 3 | 3, 0);
	ROW(&m, 8, 1, 0, 1, 7 << 3 | 1, 16, 2, -16);
	ROW(&m, 12, 1, 0, 2, 7 << 3 | 1, 16, 3 << 3 | 1, 4, 0, -24);
	ROW(&m, 16, 1, 0, 1, 31 << 3 | 1, 16, 0, 3 << 3 | 1, 0);
	made__row(&m, 20, 1, 0, 1, 0, NULL);
	made__function(&m, TEXT + 0x20, 0x10, 0, 0x80, 0, 0);
	made__function(&m, TEXT + 0x30, 0x10, 0, 0, 0, 0);
	made__function(&m, TEXT + 0x40, 0x10, 1, 0x80, 0, 0);
	ROW(&m, 0, 1, 1, 1, 8);
	made__end(&m);
	view__open(&v, &m);
	TEST_STR(view__at(&v, TEXT), "cfa=r10+0 ra=*(cfa-8)");
	TEST_STR(view__at(&v, TEXT + 4), "cfa=*(rbp-8)+0 ra=*(cfa-8) rbp=*(rbp+0)");
	TEST_STR(view__at(&v, TEXT + 8), "cfa=rsp+16 ra=*(cfa-16)");
	TEST_STR(view__at(&v, TEXT + 12), "cfa=rsp+16 ra=rbx+4 rbp=cfa-24");
	TEST_EQ(ROW_REG(rows__find(v.rows, TEXT + 16)->cfa), 31);
	TEST_STR(view__at(&v, TEXT + 20), "outermost");
	TEST_STR(view__at(&v, TEXT + 0x20), "nothing known");
	TEST_STR(view__at(&v, TEXT + 0x30), "outermost");
	TEST_STR(view__at(&v, TEXT + 0x40), "cfa=rsp+8 ra=*(cfa-8) signal");
	view__close(&v);
}

/* What a page of rows begins with is in the middle of a block then. */
TEST(sframe_made_blocks, "sframe: rows that repeat in blocks of which a page has no whole number")
{
	struct made m;
	struct view v;

	for (u8 version = 2; version <= 3; version++) {
		made__init(&m, version, version == 3 ? 5 : 1, EM_X86_64, false);
		made__function(&m, TEXT, 0x1f000, 2, 0x10, 0, 24);
		ROW(&m, 0, 1, 1, 1, 8);
		ROW(&m, 11, 1, 1, 1, 16);
		made__end(&m);
		view__open(&v, &m);
		for (u64 at = 0; at < 0x1f000; at++)
			TEST_EQ(rows__find(v.rows, TEXT + at)->cfa_off, at % 24 < 11 ? 8 : 16);
		view__close(&v);
	}
}

TEST(sframe_made_plt, "sframe: rows that repeat, also where the page of a table begins")
{
	struct made m;
	struct view v;

	for (u8 version = 1; version <= 3; version++) {
		made__init(&m, version, version == 3 ? 5 : 1, EM_X86_64, false);
		made__function(&m, TEXT, 0x1f008, 2, 0x10, 0, 16);
		ROW(&m, 0, 1, 1, 1, 8);
		ROW(&m, 11, 1, 1, 1, 16);
		made__function(&m, TEXT + 0x1f008, 8, 1, 0x10, 0, version == 1 ? 0 : 8);
		ROW(&m, 0, 1, 1, 1, 16);
		made__end(&m);
		view__open(&v, &m);
		for (u64 at = 0; at < 0x1f008; at++)
			TEST_EQ(rows__find(v.rows, TEXT + at)->cfa_off, at % 16 < 11 ? 8 : 16);
		/* ld's mistake in .plt.got; version 1 has none, and no size for its blocks. */
		TEST_STR(view__at(&v, TEXT + 0x1f008),
			 version == 1 ? "nothing known" : "cfa=rsp+8 ra=*(cfa-8)");
		TEST_STR(view__at(&v, TEXT + 0x1f010), "nothing known");
		view__close(&v);
	}
}

TEST(sframe_made_entry, "sframe: the entry point is outermost in versions that cannot say so")
{
	for (u8 version = 1; version <= 3; version++) {
		struct made m;
		struct view v;

		made__x86(&m, version, version == 3 ? 5 : 1, false);
		m.entry = TEXT + 0x10;
		view__open(&v, &m);
		TEST_STR(view__at(&v, TEXT + 0x11), version < 3 ? "outermost" :
			 "cfa=rsp+4096 ra=*(cfa-8) rbp=*(cfa-16)");
		TEST_STR(view__at(&v, TEXT + 0xf), "cfa=rbp+16 ra=*(cfa-8) rbp=*(cfa-16)");
		view__close(&v);
	}
}

TEST(sframe_made_order, "sframe: functions in any order, empty ones, overlaps")
{
	struct made m;
	struct view v;

	made__init(&m, 3, 5, EM_X86_64, false);
	made__function(&m, TEXT + 0x100, 0x10, 1, 0, 0, 0);
	ROW(&m, 0, 1, 1, 1, 32);
	made__function(&m, TEXT + 0x100, 0, 1, 0, 0, 0);
	ROW(&m, 0, 1, 1, 1, 40);
	made__function(&m, TEXT, 0x10, 1, 0, 0, 0);
	ROW(&m, 0, 1, 1, 1, 16);
	made__function(&m, TEXT + 8, 0x80, 1, 0, 0, 0);
	ROW(&m, 0, 1, 1, 1, 24);
	made__function(&m, TEXT - 8, 0x10, 1, 0, 0, 0);
	ROW(&m, 0, 1, 1, 1, 48);
	made__end(&m);
	view__open(&v, &m);
	TEST_STR(view__at(&v, TEXT + 8), "cfa=rsp+16 ra=*(cfa-8)");
	TEST_STR(view__at(&v, TEXT + 0x10), "nothing known");
	TEST_STR(view__at(&v, TEXT + 0x10f), "cfa=rsp+32 ra=*(cfa-8)");
	TEST_EQ(v.s->flaws[SFRAME_FDE_EMPTY], 1);
	TEST_EQ(v.s->flaws[SFRAME_FDE_RANGE], 1);
	TEST_EQ(v.s->flaws[SFRAME_FDE_OVERLAP], 1);
	TEST_EQ(v.s->flaws[SFRAME_FIXED_ORDER], 1);
	view__close(&v);
}

TEST(sframe_made_ambiguous, "sframe: addresses that fit either way are not believed")
{
	enum sframe_flaw why;
	struct made m;
	struct view v;

	made__init(&m, 2, 0, EM_X86_64, false);
	made__function(&m, TEXT + 0x800, 0x10, 1, 0, 0, 0);
	ROW(&m, 0, 1, 1, 1, 8);
	made__end(&m);
	TEST_TRUE(!made__open(&m, &why));
	TEST_EQ(why, SFRAME_AMBIGUOUS);

	/* One that would lie behind the code if it were relative to itself. */
	made__init(&m, 2, 0, EM_X86_64, false);
	made__function(&m, TEXT + TEXT_SIZE - 0x10, 0x10, 1, 0, 0, 0);
	ROW(&m, 0, 1, 1, 1, 8);
	made__end(&m);
	view__open(&v, &m);
	TEST_STR(view__at(&v, TEXT + TEXT_SIZE - 1), "cfa=rsp+8 ra=*(cfa-8)");
	TEST_EQ(v.s->flaws[SFRAME_FIXED_BASE], 0);
	view__close(&v);
}

TEST(sframe_made_headers, "sframe: headers that are not sane are refused, with the reason")
{
	static const struct {
		u8 at, value;
		enum sframe_flaw flaw;
	} damages[] = {
		{ 0, 0, SFRAME_MAGIC }, { 2, 0, SFRAME_VERSION }, { 2, 4, SFRAME_VERSION },
		{ 3, 2, SFRAME_FLAGS }, { 3, 8, SFRAME_FLAGS }, { 4, 2, SFRAME_ABI },
		{ 7, 200, SFRAME_LAYOUT }, { 8, 200, SFRAME_LAYOUT }, { 11, 0x80, SFRAME_LAYOUT },
		{ 19, 0xff, SFRAME_LAYOUT }, { 20, 0xff, SFRAME_LAYOUT },
		{ 24, 1, SFRAME_LAYOUT }, { 27, 0xff, SFRAME_LAYOUT },
	};
	enum sframe_flaw why;
	struct made good, m;

	made__x86(&good, 3, 5, false);
	for (size_t i = 0; i < ARRAY_SIZE(damages); i++) {
		m = good;
		m.v[damages[i].at] = damages[i].value;
		printf("byte %u\n", damages[i].at);
		TEST_TRUE(!made__open(&m, &why));
		TEST_EQ(why, damages[i].flaw);
	}
	m = good;
	m.big = true;
	TEST_TRUE(!made__open(&m, &why));
	TEST_EQ(why, SFRAME_BYTE_ORDER);
	m = good;
	m.len = 27;
	TEST_TRUE(!made__open(&m, &why));
	TEST_EQ(why, SFRAME_SHORT);
}

/* The flaw of the only function, of 16 bytes, whose rows are those of @rows. */
static enum sframe_flaw flaw_of(u32 nr, u8 info, u8 info2, u8 repeat, const char *rows, size_t len)
{
	enum sframe_flaw flaw;
	struct sframe_fde fde;
	struct sframe *s;
	struct made m;

	made__init(&m, 3, 5, EM_X86_64, false);
	made__function(&m, TEXT, 16, nr, info, info2, repeat);
	memcpy(m.rows + m.rows_len, rows, len);
	m.rows_len += len;
	made__end(&m);
	s = made__open(&m, NULL);
	TEST_TRUE(s);
	flaw = sframe__fde(s, &s->tables.v[0], 0, &fde);
	sframe__free(s);
	return flaw;
}

#define FLAW_OF(nr, info, info2, repeat, rows) \
	flaw_of(nr, info, info2, repeat, rows, sizeof(rows) - 1)

TEST(sframe_made_functions, "sframe: functions that are not sane are left out, with the reason")
{
	TEST_EQ(FLAW_OF(2, 0, 0, 0, "\0\3\10\4\3\20"), SFRAME_OK);
	TEST_EQ(FLAW_OF(2, 3, 0, 0, "\0\3\10\4\3\20"), SFRAME_FDE_TYPE);
	TEST_EQ(FLAW_OF(2, 0, 2, 0, "\0\3\10\4\3\20"), SFRAME_FDE_TYPE);
	TEST_EQ(FLAW_OF(2, 0x10, 0, 0, "\0\3\10\4\3\20"), SFRAME_FDE_REPEAT);
	TEST_EQ(FLAW_OF(2, 0x10, 0, 17, "\0\3\10\4\3\20"), SFRAME_FDE_REPEAT);
	TEST_EQ(FLAW_OF(2, 0x10, 0, 4, "\0\3\10\4\3\20"), SFRAME_ROW_ORDER);
	TEST_EQ(FLAW_OF(4, 0, 0, 0, "\0\3\10\4\3\20"), SFRAME_FDE_ROWS);
	TEST_EQ(FLAW_OF(2, 0, 0, 0, "\0\3\10\4\3"), SFRAME_FDE_ROWS);
	TEST_EQ(FLAW_OF(2, 0, 0, 0, "\0\3\10\0\3\20"), SFRAME_ROW_ORDER);
	TEST_EQ(FLAW_OF(2, 0, 0, 0, "\0\3\10\20\3\20"), SFRAME_ROW_ORDER);
	TEST_EQ(FLAW_OF(1, 0, 0, 0, "\0\7\10\20\30"), SFRAME_ROW_WORDS);
	TEST_EQ(FLAW_OF(1, 0, 0, 0, "\0\x63\10\20\30"), SFRAME_ROW_WORDS);
	TEST_EQ(FLAW_OF(1, 0, 0, 0, "\0\x1f\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17"),
		SFRAME_ROW_WORDS);
	TEST_EQ(FLAW_OF(1, 0, 1, 0, "\0\2\10"), SFRAME_ROW_WORDS);
	TEST_EQ(FLAW_OF(1, 0, 1, 0, "\0\6\71\20\0"), SFRAME_ROW_WORDS);
	TEST_EQ(FLAW_OF(1, 0, 1, 0, "\0\4\71\20"), SFRAME_OK);
	TEST_EQ(FLAW_OF(1, 0, 1, 0, "\0\4\70\20"), SFRAME_ROW_RULE);
	TEST_EQ(FLAW_OF(1, 0, 1, 0, "\0\4\75\20"), SFRAME_ROW_RULE);
	TEST_EQ(FLAW_OF(1, 0, 1, 0, "\0\x24\x01\x01\10\0"), SFRAME_ROW_RULE);
	TEST_EQ(FLAW_OF(1, 0, 1, 0, "\0\12\71\20\1\73\0"), SFRAME_ROW_RULE);
	TEST_EQ(FLAW_OF(0, 0x80, 0, 0, ""), SFRAME_FDE_SIGNAL);
}

/* Reads all there is: every function and every page. */
static u64 exercise(const struct made *m)
{
	static const struct rows_range code = { TEXT, TEXT + TEXT_SIZE };
	enum sframe_flaw why;
	/* Of just that size, so that a sanitizer sees what is read behind it. */
	u8 *copy = m->len ? xmemdup(m->v, m->len) : NULL;
	struct sframe *s = made__open_copy(m, copy, &why);
	struct rows_source source;
	struct sframe_fde fde;
	struct rows *rows;
	u64 known = 0;

	if (!s) {
		TEST_TRUE(why != SFRAME_OK);
		free(copy);
		return 0;
	}
	for (size_t t = 0; t < s->tables.nr; t++)
		for (u32 i = 0; i < s->tables.v[t].nr; i++)
			known += !sframe__fde(s, &s->tables.v[t], i, &fde);
	source = sframe__source(s);
	rows = rows__new(&perf_env, m->arch, &code, 1, &source, 1);
	for (u64 at = TEXT; at < TEXT + TEXT_SIZE; at += 0x8000)
		rows__find(rows, at);
	rows__free(rows);
	sframe__free(s);
	free(copy);
	return known;
}

/* Each kind of row and of function, of a version. */
static void made__all(struct made *m, u8 version)
{
	made__init(m, version, version == 3 ? 5 : 1, version == 2 ? EM_S390 : EM_X86_64,
		   version == 2);
	made__function(m, TEXT, 0x30, 2, 0x10, 0, 16);
	ROW(m, 0, 1, 1, 1, 8);
	ROW(m, 11, 1, 1, 1, 16);
	made__function(m, TEXT + 0x100, 0x300, 2, 1, 0, 0);
	ROW(m, 0, 2, 1, 1, 8);
	ROW(m, 1, 2, 1, 2, 0x1000, -16);
	if (version == 3) {
		made__function(m, TEXT + 0x1000, 0x20, 2, 0x80, 1, 0);
		ROW(m, 0, 1, 0, 2, 6 << 3 | 3, -8, 0, 6 << 3 | 3, 0);
		made__row(m, 20, 1, 0, 1, 0, NULL);
	}
	made__function(m, TEXT + 0x2000, 0x1d000, 2, 2, 0, 0);
	ROW(m, 0, 4, 1, 1, 8);
	ROW(m, 0x1c000, 4, 1, 4, 24, 16);
	made__end(m);
}

TEST_LIMIT(sframe_damaged, "sframe: cut at each length, and with each bit flipped", 300)
{
	for (u8 version = 1; version <= 3; version++) {
		struct made good, *m = malloc(sizeof(*m));
		u64 all;

		made__all(&good, version);
		all = exercise(&good);
		TEST_EQ(all, version == 3 ? 4 : 3);
		for (size_t len = 0; len < good.len; len++) {
			*m = good;
			m->len = len;
			TEST_EQ(exercise(m), 0);
		}
		for (size_t bit = 0; bit < good.len * 8; bit++) {
			*m = good;
			m->v[bit / 8] ^= 1 << bit % 8;
			TEST_TRUE(exercise(m) <= all);
		}
		free(m);
	}
}
