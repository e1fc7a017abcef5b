// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of functions of Go's runtime, .gopclntab, and the rows that come of it. The first byte
 * of an input times 16 is the program's entry in .text, the rest is the section.
 */
#include <elf.h>

#include "../../../lib/unwind/elf/gopclntab.h"
#include "../../util/elf/elf-file.h"
#include "../../util/io/mapfile.h"
#include "../../../lib/unwind/source/go-rows.h"
#include "../lib/elf-builder.h"
#include "input.h"

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
	fd = elf_build__fd(&elf);
	if (!elf_image__open(&img, fd)) {
		walk_functions(&img);
		walk_rows(&img);
	}
	elf_image__close(&img);
	close(fd);
}
