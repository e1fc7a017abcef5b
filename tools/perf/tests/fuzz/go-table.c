// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of functions of Go's runtime, .gopclntab, the rows that come of it, and who has called
 * what is on another stack. The first byte of an input times 16 is the program's entry in .text,
 * the rest is the section; its bytes are also where calls in .text lead to, and return addresses.
 */
#include <elf.h>

#include "../../../lib/unwind/elf/gopclntab.h"
#include "../../util/elf/elf-file.h"
#include "../../util/io/mapfile.h"
#include "../../../lib/unwind/source/go-rows.h"
#include "../lib/walk-bench.h"
#include "input.h"

#define CALL_BYTES 16 /* of .text, with a call at its end */
#define GAPS 16

static void walk_rows(const struct elf_image *img)
{
	const struct rows_range range = { ELF_TEXT, ELF_TEXT + ELF_TEXT_SIZE };
	struct go_rows *g = go_rows__open(img, &unwind_arch_x86_64);
	struct rows_source source;
	struct rows *rows;
	struct row row;
	u64 at;

	if (!g)
		return;
	source = go_rows__source(g);
	source.exit = NULL;
	rows = rows__new(&perf_env, &unwind_arch_x86_64, &range, 1, &source, 1);
	for (at = range.start; at < range.end && rows__row(rows, at, &row); at = row.end)
		FUZZ_TRUE(row.end > at);
	rows__free(rows);
	go_rows__free(g);
}

static void walk_functions(const struct elf_image *img)
{
	struct gopclntab table;
	struct go_func f;

	if (gopclntab__open(&table, img))
		return;
	for (u64 i = 0; gopclntab__func(&table, i, &f); i++) {
		FUZZ_TRUE(f.start < f.end);
		if (f.name)
			fuzz__touch(f.name, strlen(f.name) + 1);
		FUZZ_TRUE(gopclntab__find(&table, f.start) < table.nr);
	}
}

static void add_calls(struct elf_build *elf, const u8 *data, size_t size)
{
	for (u32 at = CALL_BYTES; at <= ELF_TEXT_SIZE; at += CALL_BYTES) {
		s32 distance = data[at / CALL_BYTES % size] * 16 - (s32)at;

		elf->code[at - 5] = 0xe8;
		memcpy(elf->code + at - 4, &distance, sizeof(distance));
	}
}

static void find_left_out(const struct elf_build *elf, const u8 *data, size_t size)
{
	struct bench b;
	u64 between;

	bench__x86(&b, TEXT);
	b.elf = *elf;
	bench__open(&b, "x86_64", "table");
	for (u32 i = 0; i < GAPS && i + 2 < size; i++) {
		const struct unwind_gap gap = { TEXT + data[i] * 16, TEXT + data[i + 1] * 16,
						TEXT + data[i + 2] * 16 };

		if (unwind_space__left_out(b.space, &gap, &between) && between)
			FUZZ_TRUE(between > TEXT && between <= TEXT + ELF_TEXT_SIZE);
	}
	bench__close(&b);
}

FUZZ_TARGET(go_table, "the table of functions in programs of Go")
{
	struct elf_build elf;
	struct elf_image img;
	int fd;

	if (!size || size > sizeof(elf.frame))
		return;
	mapfile__init();
	elf_build__init(&elf, EM_X86_64, false, 16, NULL, 0);
	elf.entry = ELF_TEXT + data[0] * 16;
	elf.gopclntab = true;
	elf.frame_len = size - 1;
	memcpy(elf.frame, data + 1, size - 1);
	add_calls(&elf, data, size);
	fd = elf_build__fd(&elf);
	if (!elf_image__open(&img, fd)) {
		walk_functions(&img);
		walk_rows(&img);
		find_left_out(&elf, data, size);
	}
	elf_image__close(&img);
	close(fd);
}
