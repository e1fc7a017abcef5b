// SPDX-License-Identifier: GPL-2.0-only
/* Hand-assembled call frame information against the rows that it means. */
#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include "../../util/elf/elf-file.h"
#include "../../util/io/mapfile.h"
#include "../../../lib/unwind/walk/table.h"
#include "../lib/machine-fixture.h"

#define VADDR 0x800000ULL
#define START 0x400000ULL

struct section {
	u8 bytes[1024];
	size_t len;
	bool debug_frame, is_64bit, big;
	u8 ra; /* column of the return address; 0: as usual */
	const struct unwind_arch_info *arch;
	size_t entry; /* where the present one begins */
};

static void put(struct section *s, u64 v, u32 size)
{
	TEST_TRUE(s->len + size <= sizeof(s->bytes));
	for (u32 i = 0; i < size; i++)
		s->bytes[s->len++] = v >> 8 * (s->big ? size - 1 - i : i);
}

static void put_bytes(struct section *s, const void *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		put(s, ((const u8 *)p)[i], 1);
}

static void begin(struct section *s)
{
	s->entry = s->len;
	if (s->is_64bit)
		put(s, 0xffffffff, 4);
	put(s, 0, s->is_64bit ? 8 : 4);
}

/* Fills in the length. */
static void end(struct section *s)
{
	u32 size = s->is_64bit ? 8 : 4;
	size_t at = s->entry + (s->is_64bit ? 4 : 0), len = s->len;

	while ((s->len - at) % 8)
		put(s, 0, 1); /* DW_CFA_nop */
	len = s->len;
	s->len = at;
	put(s, len - at - size, size);
	s->len = len;
}

/* @aug: the string and, of a 'z' augmentation, the data behind its length. */
static void cie(struct section *s, const char *aug, const u8 *data, size_t data_len,
		const u8 *program, size_t len)
{
	begin(s);
	if (s->debug_frame)
		put(s, ~0ULL, s->is_64bit ? 8 : 4);
	else
		put(s, 0, 4);
	put(s, s->debug_frame ? 4 : 1, 1);
	put_bytes(s, aug, strlen(aug) + 1);
	if (s->debug_frame)
		put(s, 8, 2 - s->big), put(s, 0, s->big); /* size of addresses, of selectors */
	put(s, 1, 1);
	put(s, 0x78, 1);
	put(s, s->ra ?: s->arch->dwarf_ra, 1);
	if (*aug == 'z') {
		put(s, data_len, 1);
		put_bytes(s, data, data_len);
	}
	put_bytes(s, program, len);
	end(s);
}

static void fde_at(struct section *s, u64 start, u64 size, const u8 *program, size_t len)
{
	begin(s);
	if (s->debug_frame)
		put(s, 0, s->is_64bit ? 8 : 4);
	else
		put(s, s->len, 4);
	put(s, start, 8);
	put(s, size, 8);
	put_bytes(s, program, len);
	end(s);
}

static void fde(struct section *s, const u8 *program, size_t len)
{
	fde_at(s, START, 0x100, program, len);
}

static struct cfi *section__cfi(const struct section *s)
{
	return cfi__new(&perf_env, (struct bytes){ s->bytes, s->len }, VADDR, s->debug_frame,
			s->arch);
}

/* All rows from START on: "0:cfa=... 4:..." with offsets in hexadecimal. */
static const char *rows_text(struct cfi *c)
{
	static char out[1024];
	struct rows_range range = { START, START + 0x100 };
	struct rows_source source = cfi__source(c);
	struct rows *rows = rows__new(&perf_env, c->arch, &range, 1, &source, 1);
	struct row row;
	size_t len = 0;
	char text[128];

	out[0] = 0;
	for (u64 at = START; rows__row(rows, at, &row) && len < 900; at = row.end) {
		row_rule__text(row.rule, c->arch, text, sizeof(text));
		len += snprintf(out + len, sizeof(out) - len, "%s%x:%s", len ? ", " : "",
				(int)(row.start - START), text);
	}
	rows__free(rows);
	return out;
}

#define X86_CIE 0x0c, 7, 8, 0x80 | 16, 1
#define A64_CIE 0x0c, 31, 0
#define S390_CIE 0x0c, 15, 0xa0, 1

static const char *program_rows(const struct unwind_arch_info *arch, const u8 *program, size_t len)
{
	static const u8 x86[] = { X86_CIE }, a64[] = { A64_CIE }, s390[] = { S390_CIE };
	struct section s = { .arch = arch, .big = arch->big_endian };
	const char *text;
	struct cfi *c;

	if (arch->e_machine == EM_X86_64)
		cie(&s, "", NULL, 0, x86, sizeof(x86));
	else if (arch->e_machine == EM_AARCH64)
		cie(&s, "", NULL, 0, a64, sizeof(a64));
	else
		cie(&s, "", NULL, 0, s390, sizeof(s390));
	fde(&s, program, len);
	c = section__cfi(&s);
	text = rows_text(c);
	cfi__free(c);
	return text;
}

#define BYTES(...) ((const u8[]){ __VA_ARGS__ })
#define ROWS(arch, text, ...) \
	TEST_STR(program_rows(&unwind_arch_##arch, BYTES(__VA_ARGS__), \
			      sizeof(BYTES(__VA_ARGS__))), text)
#define RA8 " ra=*(cfa-8)"

TEST(cfi_rows_other_register, "cfi: a return address in another register than usual")
{
	static const struct { u8 ra; const char *text; } cases[] = {
		{ 5, "0:cfa=rsp+8 ra=rdi" }, { 12, "0:cfa=rsp+8 ra=r12" },
		{ 32, "0:by evaluation" }, { 200, "0:by evaluation" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct section s = { .arch = &unwind_arch_x86_64, .ra = cases[i].ra };
		struct cfi *c;

		cie(&s, "", NULL, 0, BYTES(0x0c, 7, 8), 3);
		fde(&s, BYTES(0), 1);
		c = section__cfi(&s);
		TEST_STR(rows_text(c), cases[i].text);
		cfi__free(c);
	}
}

TEST(cfi_rows_prologue, "cfi: advances, offsets and the frame pointer")
{
	ROWS(x86_64, "0:cfa=rsp+8" RA8 ", 1:cfa=rsp+16" RA8 " rbp=*(cfa-16), "
		     "4:cfa=rbp+16" RA8 " rbp=*(cfa-16), 44:cfa=rsp+8" RA8 " rbp=*(cfa-16)",
	     0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x02, 0x40, 0x0c, 7, 8);
	ROWS(x86_64, "0:cfa=rsp+8" RA8 ", 42:cfa=rsp+32" RA8 ", 44:cfa=rsp-16" RA8
		     ", 46:cfa=rbx+24" RA8,
	     0x03, 0x42, 0, 0x0e, 32, 0x04, 2, 0, 0, 0, 0x13, 2, 0x42, 0x12, 3, 0x7d);
	/* set_loc with an absolute address; an advance by 0; one that ends behind the function */
	ROWS(x86_64, "0:cfa=rsp+24" RA8 ", 10:cfa=rsp+8" RA8, 0x40, 0x0e, 24,
	     0x01, 0x10, 0, 0x40, 0, 0, 0, 0, 0, 0x0e, 8, 0x04, 0, 1, 0, 0, 0x0e, 64);
}

TEST(cfi_rows_registers, "cfi: where registers are")
{
	ROWS(x86_64, "0:cfa=rsp+8" RA8 " rbp=cfa-24", 0x14, 6, 3);
	ROWS(x86_64, "0:cfa=rsp+8" RA8 " rbp=cfa+16", 0x15, 6, 0x7e);
	ROWS(x86_64, "0:cfa=rsp+8" RA8 " rbp=*(cfa+8)", 0x11, 6, 0x7f);
	ROWS(x86_64, "0:cfa=rsp+8" RA8 " rbp=*(cfa+16)", 0x2f, 6, 2);
	ROWS(x86_64, "0:cfa=rsp+8" RA8 " rbp=*(cfa-320)", 0x05, 6, 40);
	ROWS(x86_64, "0:cfa=rsp+8" RA8 " rbp=r12", 0x09, 6, 12);
	/* Those that a row has no room for. */
	ROWS(x86_64, "0:by evaluation", 0x09, 6, 32);
	ROWS(x86_64, "0:by evaluation", 0x0c, 32, 8);
	ROWS(x86_64, "0:cfa=rsp+8" RA8 " rbp=undefined", 0x07, 6);
	ROWS(x86_64, "0:cfa=rsp+8" RA8, 0x86, 2, 0x08, 6);
	ROWS(x86_64, "0:cfa=rsp+8" RA8 ", 1:cfa=rsp+8 ra=rdi", 0x41, 0x09, 16, 5);
	ROWS(x86_64, "0:cfa=rsp+8" RA8 ", 1:outermost", 0x41, 0x07, 16);
	ROWS(x86_64, "0:cfa=rsp+8" RA8 " rbp=*(cfa-16), 1:cfa=rsp+8" RA8, 0x86, 2, 0x41, 0xc6);
	ROWS(x86_64, "0:cfa=rsp+8 ra=*(cfa-16), 1:cfa=rsp+8" RA8, 0x90, 2, 0x41, 0x06, 16);
	/* args_size; registers that nobody asks for */
	ROWS(x86_64, "0:cfa=rsp+8" RA8, 0x2e, 16, 0x83, 4, 0x05, 70, 1, 0x07, 60);
}

TEST(cfi_rows_state, "cfi: remember and restore take the CFA along")
{
	ROWS(x86_64, "0:cfa=rsp+16" RA8 ", 1:cfa=rbp+32" RA8 " rbp=*(cfa-16), 2:cfa=rsp+16" RA8
		     ", 3:cfa=rsp+8" RA8,
	     0x0a, 0x0e, 16, 0x0a, 0x41, 0x0c, 6, 32, 0x86, 2, 0x41, 0x0b, 0x41, 0x0b);
}

TEST(cfi_rows_other_state, "cfi: what a function has left remembered is not another's")
{
	static const u8 x86[] = { X86_CIE };
	struct section s = { .arch = &unwind_arch_x86_64 };
	struct cfi *c;

	cie(&s, "", NULL, 0, x86, sizeof(x86));
	fde_at(&s, START, 0x80, BYTES(0x0e, 16, 0x0a, 0x0a), 4);
	fde_at(&s, START + 0x80, 0x80, BYTES(0x41, 0x0b), 2);
	c = section__cfi(&s);
	TEST_STR(rows_text(c), "0:cfa=rsp+16" RA8 ", 80:cfa=rsp+8" RA8 ", 81:nothing known");
	cfi__free(c);
}

TEST(cfi_rows_expressions, "cfi: expressions that are rules, and those that are not")
{
	ROWS(x86_64, "0:cfa=*(rbp-8)+0" RA8, 0x0f, 3, 0x76, 0x78, 0x06);
	ROWS(x86_64, "0:cfa=*(rsp+56)+8" RA8, 0x0f, 5, 0x77, 0x38, 0x06, 0x23, 0x08);
	ROWS(x86_64, "0:cfa=*(rsp+56)+8" RA8, 0x0f, 5, 0x77, 0x38, 0x06, 0x38, 0x22);
	ROWS(x86_64, "0:cfa=r10+0" RA8, 0x0f, 2, 0x7a, 0x00);
	ROWS(x86_64, "0:cfa=rsp+8, 8 more from 11 of 16" RA8, 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f,
	     0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22);
	ROWS(x86_64, "0:by evaluation", 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x34,
	     0x24, 0x22);
	ROWS(x86_64, "0:by evaluation", 0x0f, 4, 0x77, 0x38, 0x06, 0x06);
	ROWS(x86_64, "0:cfa=rsp+8 ra=*(rsp+168) rbp=*(rsp+120)", 0x10, 16, 3, 0x77, 0xa8, 1,
	     0x10, 6, 3, 0x77, 0xf8, 0);
	ROWS(x86_64, "0:cfa=rsp+8" RA8 " rbp=rax", 0x16, 6, 2, 0x70, 0);
	/* SP by a rule of its own: the CFA by other words, or not */
	ROWS(x86_64, "0:cfa=*(rsp+160)+0" RA8, 0x0f, 4, 0x77, 0xa0, 1, 0x06,
	     0x10, 7, 3, 0x77, 0xa0, 1);
	ROWS(x86_64, "0:by evaluation", 0x0f, 4, 0x77, 0xa0, 1, 0x06, 0x10, 7, 3, 0x77, 0xa8, 1);
	ROWS(x86_64, "0:by evaluation", 0x87, 2);
}

TEST(cfi_rows_bad, "cfi: what makes no sense is a hole from there on")
{
	ROWS(x86_64, "0:cfa=rsp+8" RA8 ", 4:nothing known", 0x44, 0x3e);
	ROWS(x86_64, "0:cfa=rsp+8" RA8 ", 4:nothing known", 0x44, 0x0b);
	ROWS(x86_64, "0:nothing known", 0x0d, 40);
	ROWS(x86_64, "0:nothing known", 0x0f, 100, 1, 2);
	ROWS(x86_64, "0:cfa=rsp+8" RA8 ", 4:nothing known", 0x44, 0x01, 0, 0, 0, 0, 0, 0, 0, 0);
	ROWS(x86_64, "0:nothing known", 0x0f, 2, 0x77, 0, 0x0e, 8);
}

TEST(cfi_rows_aarch64, "cfi: aarch64, leafs, frame records and signed return addresses")
{
	ROWS(aarch64, "0:cfa=sp+0, 4:cfa=sp+0 signed, 8:cfa=sp+32 ra=*(cfa-24) x29=*(cfa-32) signed"
		      ", c:cfa=sp+0 signed, 10:cfa=sp+0",
	     0x44, 0x2d, 0x44, 0x0e, 32, 0x9d, 4, 0x9e, 3, 0x44, 0xdd, 0xde, 0x0e, 0, 0x44, 0x2d);
	ROWS(aarch64, "0:cfa=sp+0 ra=x5", 0x09, 30, 5);
	ROWS(aarch64, "0:outermost", 0x07, 30);
	ROWS(aarch64, "0:by evaluation", 0x9f, 2);
}

TEST(cfi_rows_lift, "cfi: aarch64, a CFA below what was pushed is lifted, if all offsets can be")
{
	ROWS(aarch64, "0:cfa=sp+16 ra=*(cfa-8), 4:cfa=sp+2147483647 ra=*(cfa-8)"
		      ", 8:cfa=sp+2147483632 ra=*(cfa+8)",
	     0x11, 30, 0x7f, 0x44, 0x0e, 0xef, 0xff, 0xff, 0xff, 7, 0x44, 0x0e, 0xf0, 0xff, 0xff,
	     0xff, 7);
	ROWS(aarch64, "0:cfa=sp+16 ra=*(cfa-8), 4:cfa=sp+16 ra=*(cfa-2147483648)"
		      ", 8:cfa=sp+0 ra=*(cfa-2147483640)",
	     0x11, 30, 0x7f, 0x44, 0x05, 30, 0xfe, 0xff, 0xff, 0x7f, 0x44, 0x05, 30, 0xff, 0xff,
	     0xff, 0x7f);
	ROWS(aarch64, "0:cfa=sp+16 ra=*(cfa-8), 4:cfa=sp+16 ra=*(cfa-8) x29=*(cfa-2147483648)"
		      ", 8:cfa=sp+0 ra=*(cfa+8) x29=*(cfa-2147483640)",
	     0x11, 30, 0x7f, 0x44, 0x05, 29, 0xfe, 0xff, 0xff, 0x7f, 0x44, 0x05, 29, 0xff, 0xff,
	     0xff, 0x7f);
}

TEST(cfi_rows_s390x, "cfi: s390x, with the stack pointer and float registers saved")
{
	ROWS(s390x, "0:cfa=r15+160, 6:cfa=r15+160 ra=*(cfa-48) r11=*(cfa-72)"
		    ", c:cfa=r15+320 ra=*(cfa-48) r11=*(cfa-72)",
	     0x46, 0x8b, 9, 0x8e, 6, 0x8f, 5, 0x46, 0x0e, 0xc0, 2);
	ROWS(s390x, "0:cfa=r15+160 r11=f2", 0x09, 11, 17);
	ROWS(s390x, "0:cfa=r15+160", 0x2d);
}

static const char *augmented(const char *aug, const u8 *data, size_t len)
{
	static const u8 x86[] = { X86_CIE };
	struct section s = { .arch = &unwind_arch_x86_64 };
	const char *text;
	struct cfi *c;

	cie(&s, aug, data, len, x86, sizeof(x86));
	begin(&s);
	put(&s, s.len, 4);
	if (data[0] == 0x1b) {
		put(&s, START - (VADDR + s.len), 4);
		put(&s, 0x80, 4);
	} else {
		put(&s, START, 8);
		put(&s, 0x80, 8);
	}
	if (*aug == 'z') {
		put(&s, 3, 1);
		put(&s, 0x3e3e3e, 3); /* would be bad instructions */
	}
	put_bytes(&s, BYTES(0x41, 0x0e, 16), 3);
	end(&s);
	c = section__cfi(&s);
	text = rows_text(c);
	cfi__free(c);
	return text;
}

TEST(cfi_rows_augmentation, "cfi: augmentations and encodings")
{
	const char *want = "0:cfa=rsp+8" RA8 ", 1:cfa=rsp+16" RA8 ", 80:nothing known";

	TEST_STR(augmented("zR", BYTES(0x1b), 1), want);
	TEST_STR(augmented("zRPL", BYTES(0x1b, 0x9b, 1, 2, 3, 4, 0x1b), 7), want);
	TEST_STR(augmented("zRBG", BYTES(0x1b), 1), want);
	TEST_STR(augmented("zR", BYTES(0x00, 0x3e, 0x3e), 3), want);
	TEST_STR(augmented("zRS", BYTES(0x1b), 1),
		 "0:cfa=rsp+8" RA8 " signal, 1:cfa=rsp+16" RA8 " signal, 80:nothing known");
	TEST_STR(augmented("zR?", BYTES(0x1b), 1), "0:nothing known");
	TEST_STR(augmented("R", BYTES(0x1b), 1), "0:nothing known");
	TEST_STR(augmented("zR", BYTES(0x9b), 1), "0:nothing known");
	TEST_STR(augmented("zP", BYTES(0x1b, 0x3e), 2), "0:nothing known");
}

TEST(cfi_rows_version, "cfi: versions of a CIE that are none")
{
	static const u8 x86[] = { X86_CIE };
	struct section s = { .arch = &unwind_arch_x86_64 };
	struct cfi *c;

	cie(&s, "", NULL, 0, x86, sizeof(x86));
	fde(&s, BYTES(0x41, 0x0e, 16), 3);
	for (u32 version = 0; version < 256; version++) {
		s.bytes[8] = version; /* behind its length and id */
		c = section__cfi(&s);
		if (version == 1 || version == 3)
			TEST_STR(rows_text(c), "0:cfa=rsp+8" RA8 ", 1:cfa=rsp+16" RA8);
		else
			TEST_STR(rows_text(c), "0:nothing known");
		cfi__free(c);
	}
}

TEST(cfi_rows_empty, "cfi: an empty function hides no other at its place")
{
	static const u8 x86[] = { X86_CIE }, program[] = { 0x41, 0x0e, 16 };
	struct cfi_fde found;
	struct cfi *c;

	for (int where = 0; where < 2; where++) {
		struct section s = { .arch = &unwind_arch_x86_64 };

		cie(&s, "", NULL, 0, x86, sizeof(x86));
		fde_at(&s, START, where ? 0 : 0x100, program, sizeof(program));
		fde_at(&s, START, where ? 0x100 : 0, program, sizeof(program));
		c = section__cfi(&s);
		TEST_EQ(cfi__nr(c), 1);
		TEST_TRUE(cfi__find(c, START, &found) && found.end == START + 0x100);
		TEST_STR(rows_text(c), "0:cfa=rsp+8" RA8 ", 1:cfa=rsp+16" RA8);
		cfi__free(c);
	}
}

TEST(cfi_rows_debug_frame, "cfi: .debug_frame, in 32 and 64 bits, and 64 bits in .eh_frame")
{
	static const u8 x86[] = { X86_CIE }, program[] = { 0x41, 0x0e, 16 };

	for (int i = 1; i < 4; i++) {
		struct section s = {
			.arch = &unwind_arch_x86_64, .debug_frame = i & 1, .is_64bit = i & 2,
		};
		struct cfi *c;

		cie(&s, "", NULL, 0, x86, sizeof(x86));
		if (i != 2)
			fde(&s, program, sizeof(program));
		else /* the CIE pointer counts from its own place, which is not the entry's start */
			begin(&s), put(&s, s.len, 4), put(&s, START, 8), put(&s, 0x100, 8),
				put_bytes(&s, program, sizeof(program)), end(&s);
		c = section__cfi(&s);
		TEST_STR(rows_text(c), "0:cfa=rsp+8" RA8 ", 1:cfa=rsp+16" RA8);
		cfi__free(c);
	}
}

TEST(cfi_rows_index, "cfi: the search table and the index lead to the same rows")
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct module *m;
	struct cfi *table, *index;
	u64 nr = 0;

	mapfile__init();
	m = module__new(&perf_env, 0, fd, EM_NONE);
	close(fd);
	if (m->bad || m->image.ehdr.e_machine != EM_X86_64)
		TEST_SKIP("this is not an x86-64 program");
	table = cfi__open_eh_frame(&m->image, &unwind_arch_x86_64);
	TEST_TRUE(table && table->table.data);
	index = cfi__new(&perf_env, table->section, table->vaddr, false, &unwind_arch_x86_64);
	TEST_EQ(cfi__nr(table), cfi__nr(index));
	for (u64 i = 0; i < cfi__nr(table); i++) {
		struct cfi_fde a, b;

		TEST_TRUE(cfi__fde(table, i, &a) && cfi__fde(index, i, &b));
		TEST_EQ(a.start, b.start);
		TEST_EQ(a.end, b.end);
		TEST_TRUE(a.program.data == b.program.data);
		TEST_TRUE(cfi__find(table, a.start, &b) && b.start == a.start);
		TEST_TRUE(cfi__find(index, a.end - 1, &b) && b.start == a.start);
		nr++;
	}
	TEST_TRUE(nr > 1000);
	TEST_TRUE(!cfi__find(table, 1, &(struct cfi_fde){}));
	cfi__free(index);
	cfi__free(table);
	module__free(m);
}

TEST(cfi_rows_unlimited, "cfi: nobody unpacks without limit, as the commands that show one file")
{
	struct cfi c = {};

	TEST_TRUE(cfi__take(&c, CFI_MAX_MEMORY - 1));
	TEST_TRUE(!cfi__take(&c, 2) && !cfi__take(&c, ~0ull));
	TEST_TRUE(cfi__take(&c, 1) && !cfi__take(&c, 1));
}

TEST(cfi_rows_budget, "cfi: what is unpacked, and its index, count against one budget")
{
	struct budget memory = { .left = 1 << 20 };
	struct elf_image img;
	struct cfi *c;
	u64 taken, nr;
	int fd;

	fixture__need_compiler();
	fixture__write("p.c", "int f(int a) { return a; }\nint main(void) { return f(0); }\n");
	fixture__run("gcc -g -gz -fno-asynchronous-unwind-tables -o p p.c && "
		     "objcopy --decompress-debug-sections p plain && "
		     "objcopy --compress-debug-sections plain p");
	fd = open("p", O_RDONLY | O_CLOEXEC);
	TEST_EQ(elf_image__open(&img, fd), 0);
	close(fd);
	if (img.ehdr.e_machine != EM_X86_64)
		TEST_SKIP("this is not an x86-64 program");
	c = cfi__open_debug_frame(&img, &unwind_arch_x86_64, &memory);
	TEST_TRUE(c && c->owned);
	TEST_EQ((1 << 20) - memory.left, c->section.len);
	nr = cfi__nr(c);
	taken = (1 << 20) - memory.left;
	TEST_TRUE(nr >= 2);
	TEST_EQ(taken, c->section.len + nr * sizeof(*c->index.v));
	cfi__free(c);
	TEST_EQ(memory.left, 1 << 20);
	/* Room for all but one entry of the index, and for not even the section. */
	memory.left = taken - 1;
	c = cfi__open_debug_frame(&img, &unwind_arch_x86_64, &memory);
	TEST_EQ(cfi__nr(c), nr - 1);
	cfi__free(c);
	memory.left = 8;
	TEST_TRUE(!cfi__open_debug_frame(&img, &unwind_arch_x86_64, &memory));
	TEST_EQ(memory.left, 8);
	elf_image__close(&img);

	/* The same, where nothing has to be unpacked. */
	fd = open("plain", O_RDONLY | O_CLOEXEC);
	TEST_EQ(elf_image__open(&img, fd), 0);
	close(fd);
	memory.left = 1 << 20;
	c = cfi__open_debug_frame(&img, &unwind_arch_x86_64, &memory);
	TEST_TRUE(c && !c->owned);
	TEST_EQ(memory.left, 1 << 20);
	TEST_EQ(cfi__nr(c), nr);
	cfi__free(c);
	elf_image__close(&img);
}

/* Whether the search table of "p" is taken when it claims @more entries than it has. */
static bool table_taken(s64 more)
{
	int fd = open("p", O_RDWR | O_CLOEXEC);
	struct module *m = module__new(&perf_env, 0, fd, EM_NONE);
	struct bytes hdr;
	struct cfi *c;
	GElf_Shdr shdr;
	bool taken;
	u32 nr;

	if (m->bad || m->image.ehdr.e_machine != EM_X86_64)
		TEST_SKIP("this is not an x86-64 program");
	TEST_TRUE(elf_image__section(&m->image, ".eh_frame_hdr", 0, &shdr));
	hdr = elf_image__bytes(&m->image, &shdr);
	memcpy(&nr, hdr.data + 8, sizeof(nr));
	TEST_EQ(hdr.len, 12 + 8 * nr);
	TEST_TRUE(nr >= 16);
	module__free(m);
	nr += more;
	TEST_EQ(pwrite(fd, &nr, sizeof(nr), shdr.sh_offset + 8), sizeof(nr));
	m = module__new(&perf_env, 0, fd, EM_NONE);
	c = cfi__open_eh_frame(&m->image, &unwind_arch_x86_64);
	TEST_TRUE(c);
	taken = c->table.data;
	cfi__free(c);
	module__free(m);
	nr -= more;
	TEST_EQ(pwrite(fd, &nr, sizeof(nr), shdr.sh_offset + 8), sizeof(nr));
	close(fd);
	return taken;
}

TEST(cfi_rows_table_size, "cfi: a search table that claims more entries than it has is none")
{
	fixture__need_compiler();
	fixture__run("{ for i in $(seq 20); do echo \"int f$i(int a) { return a + $i; }\"; done; "
		     "echo 'int main(void) { return 0; }'; } >p.c && gcc -O1 -o p p.c");
	TEST_TRUE(table_taken(0));
	TEST_TRUE(!table_taken(1));
	TEST_TRUE(table_taken(-1));
}

TEST(cfi_rows_hostile, "cfi: random bytes end, and stay within bounds")
{
	u64 seed = 0x2545f4914f6cdd1dULL;

	for (int round = 0; round < 3000; round++) {
		static const u8 x86[] = { X86_CIE };
		struct section s = { .arch = &unwind_arch_x86_64, .debug_frame = round & 1 };
		u8 program[64];
		struct cfi *c;

		for (size_t i = 0; i < sizeof(program); i++) {
			seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
			program[i] = seed >> 56 & (i & 1 ? 0x1f : 0xff);
		}
		cie(&s, round & 2 ? "zRS" : "", BYTES(0), round & 2 ? 1 : 0, x86, sizeof(x86));
		for (int i = 0; i < 6; i++)
			fde(&s, program + i * 8, sizeof(program) - i * 8);
		for (int i = 0; i < round % 16; i++)
			s.bytes[(seed >> (i + 20)) % s.len] ^= 1 << (i & 7);
		c = section__cfi(&s);
		TEST_TRUE(rows_text(c) != NULL);
		cfi__free(c);
	}
}

/* The work for a table of @nr pages, all of which are of one function with a long program. */
static u64 work_of_pages(u32 nr, size_t *len)
{
	struct rows_range range = { 0x10000, 0x10000 + nr * (u64)ROWS_PAGE_SIZE };
	static struct { u32 len, id; u8 cie[16]; u32 fde_len, back; u64 start, size;
			u8 nops[1 << 19]; } s;
	struct rows_source source;
	struct rows *r;
	struct cfi *c;
	u64 work;

	s.len = 4 + sizeof(s.cie);
	memcpy(s.cie, "\1\0\1\x78\x10\x0c\7\10\x90\1", 10);
	s.fde_len = sizeof(s) - offsetof(typeof(s), back);
	s.back = offsetof(typeof(s), back);
	s.start = range.start;
	s.size = range.end - range.start;
	*len = sizeof(s);
	c = cfi__new(&perf_env, (struct bytes){ (u8 *)&s, sizeof(s) }, 0, false,
		     &unwind_arch_x86_64);
	source = cfi__source(c);
	r = rows__new(&perf_env, &unwind_arch_x86_64, &range, 1, &source, 1);
	TEST_EQ(rows__find(r, range.start)->cfa_off, 8);
	for (u32 i = 1; i < nr; i++)
		rows__find(r, range.start + i * (u64)ROWS_PAGE_SIZE);
	work = c->work;
	rows__free(r);
	cfi__free(c);
	return work;
}

TEST(cfi_growth_pages, "cfi: the work for all pages is bounded by the size of the section")
{
	size_t len;

	for (u32 n = 4; n <= 256; n *= 4) {
		u64 work = work_of_pages(n, &len);

		TEST_TRUE(work < 18 * len);
		TEST_TRUE(work > (min_of(n, 16U) - 1) * len); /* each takes all of it */
	}
}

/* The rule of @vaddr behind @nr functions that overlap, from START on, each with a row a byte. */
static const char *row_behind(u32 nr, u64 vaddr)
{
	static const u8 x86[] = { X86_CIE };
	static u8 bytes[8 << ROWS_PAGE_SHIFT];
	static char text[128];
	struct section s = { .arch = &unwind_arch_x86_64 };
	struct rows_range range = { START, START + ROWS_PAGE_SIZE };
	struct rows_source source;
	struct rows *rows;
	struct row row;
	struct cfi *c;
	size_t len;

	cie(&s, "", NULL, 0, x86, sizeof(x86));
	len = s.len;
	memcpy(bytes, s.bytes, len);
	for (u32 i = 0; i <= nr; i++) {
		u64 start = i < nr ? START + i : vaddr, end = i < nr ? vaddr - nr + i : vaddr + 1;
		const struct { u32 len, cie; u64 start, size; } fde = {
			20 + end - start, len + 4, start, end - start,
		};

		memcpy(bytes + len, &fde, sizeof(fde));
		memset(bytes + len + sizeof(fde), 0x41, end - start); /* advance by 1 */
		len += sizeof(fde) + end - start;
	}
	c = cfi__new(&perf_env, (struct bytes){ bytes, len }, VADDR, false, s.arch);
	source = cfi__source(c);
	rows = rows__new(&perf_env, c->arch, &range, 1, &source, 1);
	snprintf(text, sizeof(text), "nothing");
	if (rows__row(rows, vaddr, &row))
		row_rule__text(row.rule, c->arch, text, sizeof(text));
	rows__free(rows);
	cfi__free(c);
	return text;
}

TEST(cfi_rows_limit, "cfi: functions that overlap cost a bounded number of rows")
{
	const u64 last = START + ROWS_PAGE_SIZE - 1;

	TEST_STR(row_behind(3, last), "cfa=rsp+8" RA8);
	TEST_STR(row_behind(6, last), "nothing known");
}

TEST(cfi_rows_steps, "cfi: a program without end is left when it was long enough")
{
	struct cfi_cie cie = { .code_align = 0, .data_align = 1 };
	struct cfi_fde fde = { .start = 0x1000, .end = 0x2000, .cie = &cie };
	struct cfi_run run = { .steps = 1000 };
	struct cfi *c = cfi__new(&perf_env, (struct bytes){}, 0, false, &unwind_arch_x86_64);
	u8 program[5000];
	u32 rows = 0;

	memset(program, 0x41, sizeof(program)); /* advance by 1 * 0 */
	fde.program = (struct bytes){ program, sizeof(program) };
	cfi_run__begin(&run, c, &fde);
	while (cfi_run__next(&run))
		rows++;
	TEST_EQ(rows, 0);
	memset(program, 0x0a, sizeof(program)); /* remember all of it */
	run.steps = 0;
	cfi_run__begin(&run, c, &fde);
	TEST_TRUE(!cfi_run__next(&run));
	TEST_TRUE(run.remembered.nr <= 64);
	cfi_run__exit(&run);
	TEST_TRUE(!cfi_cie__run(c, &cie, fde.program));
	memset(program, 0, sizeof(program)); /* nops */
	TEST_TRUE(!cfi_cie__run(c, &cie, fde.program));
	fde.program.len = 100;
	TEST_TRUE(cfi_cie__run(c, &cie, fde.program));
	cfi__free(c);
}
