// SPDX-License-Identifier: GPL-2.0-only
/*
 * .sframe, as a section's bytes and in a whole ELF file.
 *
 * What begins like an ELF file is checked against its .eh_frame, too. Of all else the first byte
 * says for which machine the rest is: 0 ... 3, and 4 more when it was relocated.
 */
#include <elf.h>

#include "../../util/elf/elf-file.h"
#include "../../util/sframe/elf-added.h"
#include "../../util/io/mapfile.h"
#include "../../../lib/unwind/elf/module.h"
#include "../../../lib/unwind/source/check.h"
#include "input.h"

#define TEXT 0x1000ULL
#define TEXT_SIZE 0x30000ULL
#define SECTION 0x40000ULL

static const struct rows_range code = { TEXT, TEXT + TEXT_SIZE };

/* A table's order and bounds, which everything else relies on. */
static void look_at(const struct sframe *s, const struct sframe_table *t)
{
	struct sframe_fde fde;
	u64 last = 0, start, end;

	for (u32 i = 0; i < t->nr; i++) {
		sframe_table__range(s, t, t->order ? t->order[i] : i, &start, &end);
		FUZZ_TRUE(start >= last && start < end);
		FUZZ_TRUE(start >= TEXT && end <= TEXT + TEXT_SIZE);
		FUZZ_TRUE(sframe_table__first(s, t, start) == i);
		FUZZ_TRUE(sframe_table__first(s, t, end - 1) == i);
		sframe__fde(s, t, i, &fde);
		last = end;
	}
}

static void fuzz_section(const u8 *data, size_t size)
{
	static const u16 machines[] = { EM_X86_64, EM_AARCH64, EM_AARCH64, EM_S390 };
	const struct sframe_input in = {
		.env = &perf_env, .data = { data + 1, size - 1 }, .vaddr = SECTION,
		.arch = unwind_arch_info__by_machine(machines[data[0] & 3]),
		.big_endian = data[0] & 2, .relocated = data[0] & 4, .entry = TEXT,
		.code = &code, .nr_code = 1,
	};
	enum sframe_flaw why;
	struct sframe *s = sframe__new(&in, &why);
	struct rows_source source;
	struct rows *rows;

	if (!s) {
		FUZZ_TRUE(why != SFRAME_OK);
		return;
	}
	for (size_t i = 0; i < s->tables.nr; i++)
		look_at(s, &s->tables.v[i]);
	source = sframe__source(s);
	rows = rows__new(&perf_env, in.arch, &code, 1, &source, 1);
	for (u64 at = TEXT; at < TEXT + TEXT_SIZE; at += ROWS_PAGE_SIZE / 2)
		rows__find(rows, at);
	rows__free(rows);
	sframe__free(s);
}

static void on_row(void *ctx, const struct check_row *row)
{
	char text[160];

	row_rule__text(&row->sframe, ctx, text, sizeof(text));
	row_rule__text(&row->cfi, ctx, text, sizeof(text));
}

static void fuzz_file(const u8 *data, size_t size)
{
	int fd = fuzz__fd(data, size);
	struct check_result result;

	mapfile__init();
	if (fd >= 0)
		unwind_check(&perf_env, fd, &result, on_row, (void *)&unwind_arch_x86_64);
	close(fd);
}

/* A copy with one more section has it where it was planned. */
static void fuzz_copy(const u8 *data, size_t size)
{
	static const struct elf_added_kind kind = {
		.name = ".added", .section_type = SHT_PROGBITS, .segment_type = 0x6474e554,
	};
	static const struct bytes section = { (const u8 *)"what is added", 14 };
	int fd = fuzz__fd(data, size), copy = memfd_create("copy", MFD_CLOEXEC);
	struct elf_added added = {};
	struct error err = {};
	struct module *m;
	GElf_Shdr shdr;

	if (fd < 0 || copy < 0)
		goto out;
	m = module__new(&perf_env, 0, fd, EM_NONE);
	if (!m->bad && !elf_added__plan(&added, &m->image, &kind, "input", &err)) {
		u64 vaddr = added.vaddr;

		FUZZ_TRUE(!elf_added__write(&added, copy, section));
		module__free(m);
		m = module__new(&perf_env, 0, copy, EM_NONE);
		FUZZ_TRUE(!m->bad);
		if (added.shdrs)
			FUZZ_TRUE(elf_image__section(&m->image, kind.name, 0, &shdr) &&
				  shdr.sh_addr == vaddr && shdr.sh_size == section.len);
	}
	elf_added__free(&added);
	module__free(m);
out:
	if (fd >= 0)
		close(fd);
	if (copy >= 0)
		close(copy);
}

FUZZ_TARGET(sframe, ".sframe sections and files")
{
	if (size > 4 && !memcmp(data, ELFMAG, SELFMAG)) {
		fuzz_file(data, size);
		fuzz_copy(data, size);
	} else if (size) {
		fuzz_section(data, size);
	}
}
