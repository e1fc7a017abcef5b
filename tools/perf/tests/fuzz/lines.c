// SPDX-License-Identifier: GPL-2.0-only
/* Source lines from the DWARF of an ELF file, which is the input. */
#include "../../util/io/mapfile.h"
#include "../../util/base/mem.h"
#include "../../util/symbol/srcline.h"
#include "input.h"

#define LOOK_UPS 64

static void look_up(const struct elf_image *img, struct srclines *lines, struct arena *arena)
{
	for (size_t i = 0; i < img->loads.nr; i++) {
		const struct elf_load *l = &img->loads.v[i];

		for (u64 n = 0; n < LOOK_UPS; n++) {
			const char *s = srclines__find(lines, l->vaddr + l->filesz / LOOK_UPS * n,
						       arena);

			if (s)
				FUZZ_TRUE(strchr(s, ':'));
		}
		if (i == 4)
			break;
	}
}

FUZZ_TARGET(lines, "DWARF's tables of lines")
{
	struct elf_image img, alt = {};
	int fd = fuzz__fd(data, size);
	struct budget memory = { .left = 64 << 20 };
	struct srclines_limits limits = { .memory = &memory };
	struct arena *arena;
	struct srclines *s;

	if (fd < 0)
		return;
	mapfile__init();
	if (!elf_image__open(&img, fd) && srclines__are_in(&img)) {
		arena = arena__new();
		s = srclines__new(&img, &alt, &limits);
		look_up(&img, s, arena);
		srclines__free(s);
		arena__free(arena);
	}
	elf_image__close(&img);
	close(fd);
}
