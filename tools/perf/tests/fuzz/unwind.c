// SPDX-License-Identifier: GPL-2.0-only
/*
 * Call frame information and whole ELF files as the unwinder reads them, and walks over the rows
 * that come of them.
 *
 * The first byte of an input chooses: bits 0-1 the architecture, bits 2-3 a whole ELF file,
 * .eh_frame or .debug_frame. Bytes 8 to 511 are the stack; the file or section follows.
 */
#include "../../../lib/unwind/source/sframe-write.h"
#include "../../../lib/unwind/source/sframe.h"
#include "../../../lib/unwind/walk/eval.h"
#include "../../util/elf/elf-file.h"
#include "../../util/unwinder/unwinder.h"
#include "input.h"

#define HEAD 512
#define STACK 0x7ffc00000000ULL
#define BIAS 0x7f0000000000ULL

static const struct unwind_arch_info *const archs[] = {
	&unwind_arch_x86_64, &unwind_arch_aarch64, &unwind_arch_s390x,
};

static bool read_stack(void *ctx, u64 addr, u32 size, u64 *v)
{
	if (addr < STACK || addr - STACK > HEAD - 8 - 8)
		return false;
	*v = 0;
	memcpy(v, (const u8 *)ctx + 8 + (addr - STACK), size);
	return true;
}

static void evaluate(struct table *t, const struct unwind_arch_info *arch, const u8 *data,
		     u64 vaddr)
{
	const struct eval_memory mem = { .read = read_stack, .ctx = (void *)(uintptr_t)data };
	struct eval_frame frame = { .vaddr = vaddr, .interrupted = true };
	struct eval_regs regs = { .known = ~0ULL >> 31, .pc = vaddr };

	for (u32 i = 0; i < CFI_REGS; i++)
		regs.v[i] = STACK + 8 * i;
	(void)eval__step(t, arch, &mem, &frame, &regs);
}

/* What a section of .sframe says of the return address when it says nothing. */
static struct row_rule as_read(const struct row_rule *rule, const struct unwind_arch_info *arch)
{
	struct row_rule r = *rule;

	r.flags &= ROW_SIGNAL | ROW_RA_SIGNED;
	if (r.ra == ROW_HOW(ROW_LOC_IS_REG, arch->dwarf_ra) && !r.ra_off)
		r.ra = ROW_HOW(ROW_LOC_SAME, 0);
	return r;
}

/* Each row is the same in what was written, or is not there. */
static void compare(struct rows *rows, const struct sframe_writer *w, const struct rows_range *code)
{
	const struct sframe_input in = {
		.env = &perf_env, .data = { w->section.v, w->section.nr }, .vaddr = w->of.vaddr,
		.arch = w->of.arch, .big_endian = w->of.big_endian, .code = code, .nr_code = 1,
	};
	enum sframe_flaw why;
	struct sframe *s = sframe__new(&in, &why);
	struct rows_source source;
	struct rows *back;
	struct row row;

	if (!s) {
		FUZZ_TRUE(!w->functions);
		return;
	}
	source = sframe__source(s);
	back = rows__new(&perf_env, in.arch, code, 1, &source, 1);
	for (u64 at = code->start; at < code->end && rows__row(rows, at, &row); at = row.end) {
		struct row_rule want = as_read(row.rule, in.arch);
		struct row_rule got = as_read(rows__find(back, max_of(row.start, at)), in.arch);

		FUZZ_TRUE(ROW_KIND(got.cfa) == ROW_CFA_HOLE ||
			  ROW_KIND(want.cfa) == ROW_CFA_PLT || /* a pattern of two rows */
			  !memcmp(&want, &got, sizeof(want)));
	}
	rows__free(back);
	sframe__free(s);
}

static void write_sframe(struct rows *rows, struct cfi *c, const struct rows_range *code,
			 const struct unwind_arch_info *arch, u32 version)
{
	struct sframe_writer w;

	sframe_writer__init(&w, &(struct sframe_of){
		.env = &perf_env, .arch = arch, .rows = rows, .cfi = { c }, .version = version,
		.big_endian = arch == &unwind_arch_s390x, .vaddr = code->end + 8,
	});
	if (!sframe_writer__run(&w))
		compare(rows, &w, code);
	sframe_writer__exit(&w);
}

static void fuzz_section(const u8 *data, size_t size, const struct unwind_arch_info *arch,
			 bool debug_frame)
{
	struct bytes section = { data + HEAD, size - HEAD };
	struct cfi *c = cfi__new(&perf_env, section, 0x1000000, debug_frame, arch);
	struct table t = { .opened = true };
	u64 nr = cfi__nr(c);

	for (u64 i = 0; i < min_of(nr, (u64)16); i++) {
		u64 start = cfi__start(c, i * nr / min_of(nr, (u64)16));
		struct rows_range range = { start, start + 0x1000 };
		struct rows_source source = cfi__source(c);
		struct row row;

		if (range.end < range.start)
			continue;
		t.eh_frame = c;
		t.rows = rows__new(&perf_env, arch, &range, 1, &source, 1);
		for (u64 at = start; at < range.end && rows__row(t.rows, at, &row); at = row.end) {
			char text[256];

			row_rule__text(row.rule, arch, text, sizeof(text));
			evaluate(&t, arch, data, row.start);
		}
		write_sframe(t.rows, c, &range, arch, 2 + (i & 1));
		rows__free(t.rows);
	}
	cfi__free(c);
}

static int borrow(void *ctx, u32 module)
{
	return module ? -ENOENT : *(int *)ctx;
}

static void walk(struct unwind_space *s, const u8 *data, const struct elf_load *l)
{
	const struct unwind_stack stack = { .start = STACK, .data = data + 8, .size = HEAD - 8 };
	struct unwind_regs regs = { .known = ~0ULL };
	u64 ips[32];

	for (u64 i = 0; i < 8; i++) {
		struct unwind_chain chain = { .ips = ips, .max = ARRAY_SIZE(ips) };
		u64 pc = BIAS + l->vaddr + i * (l->filesz / 8) + data[i & 7];

		for (u32 r = 0; r < ARRAY_SIZE(regs.v); r++)
			regs.v[r] = r & 1 ? pc : STACK + 8 * r;
		regs.v[7] = regs.v[31] = regs.v[15] = STACK;
		regs.v[8] = regs.v[32] = regs.v[33] = pc;
		unwind__walk(s, &regs, &stack, &chain);
	}
}

static void fuzz_file(const u8 *data, size_t size, u32 arch)
{
	int fd = fuzz__fd(data + HEAD, size - HEAD);
	struct unwind_space *s;
	struct unwinder *u;
	struct module *m;

	if (fd < 0)
		return;
	m = module__new(&perf_env, 0, fd, archs[arch]->e_machine);
	if (!m->bad && !unwinder__by_name(&u, NULL, arch, NULL)) {
		unwinder__on_open(u, borrow, &fd);
		for (size_t i = 0; i < m->image.loads.nr; i++) {
			const struct elf_load *l = &m->image.loads.v[i];

			if (!l->exec || !l->filesz)
				continue;
			s = unwind_space__new(u);
			unwind_space__add(s, &(struct unwind_mapping){
				.start = BIAS + l->vaddr, .end = BIAS + l->vaddr + l->filesz,
				.pgoff = l->offset,
			});
			walk(s, data, l);
			unwind_space__free(s);
		}
		unwinder__free(u);
	}
	module__free(m);
	close(fd);
}

FUZZ_TARGET(unwind, "rows, expressions and walks by hostile CFI")
{
	u32 arch;

	if (size <= HEAD)
		return;
	arch = (data[0] & 3) % ARRAY_SIZE(archs);
	if (data[0] >> 2 & 2)
		fuzz_section(data, size, archs[arch], data[0] >> 2 & 1);
	else
		fuzz_file(data, size, arch);
}
